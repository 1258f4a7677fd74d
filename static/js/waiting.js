// What the page shows of the taps that wait on this phone: in the rows the totals they lead to, in
// the bar how many they are, and those that were refused. outbox.js loads it, and has the taps.
// The totals with which a player plays on, from and to.
const ALIVE = { life: [1, 99_999], poison: [0, 9], points: [0, Infinity] };

// --- changes of one counter add up ---
const change = ({ url, body }) => {
  if (!url.endsWith("/change/")) return null;
  const data = new URLSearchParams(body);
  const counter = data.has("poison") ? "poison" : "life";
  const [seat, by] = data.get(counter).split(".").map(Number);
  return { counter, seat, by, data };
};

export function sum(tap, next) {
  const [was, more] = [change(tap), change(next)];
  if (was?.counter !== more?.counter || was.seat !== more.seat) return null;
  const by = was.by + more.by;
  was.data.set(was.counter, `${was.seat}.${by}`);
  const name = tap.words.slice(0, tap.words.lastIndexOf(": "));
  return { ...tap, by, body: was.data.toString(), words: `${name}: ${inWords(was.counter, by)}`, until: next.until };
}

function inWords(counter, by) {
  const amount = Math.abs(by);
  if (counter === "life") return `${by > 0 ? "gain" : "lose"} ${amount} life`;
  return `${by > 0 ? "get" : "lose"} ${amount} poison counter${amount > 1 ? "s" : ""}`;
}

// The number of a tap's game, and what is done in it.
const whatOf = (url) => /\/(?:score|seat)\/(\d)\/(.*)\/$/.exec(url)?.slice(1) ?? [];

// --- what a tap does to the totals: changes of [seat, total, by], or null where that is not known ---
const NOTHING = [];

function changesOf(tap, players, rules) {
  const [game, what] = whatOf(tap.url);
  const data = new URLSearchParams(tap.body);
  if (game !== rules.game) return null;
  if (what === "turn") return NOTHING;
  if (what === "change") return [
    [change(tap).seat, change(tap).counter, change(tap).by]
  ];
  if (what === "more") return changesOfMore(data, players);
  if (what === "hit") return changesOfHits([...collected(data), ...aimed(data, players)], rules);
  if (what === "hits") return changesOfHits(collected(data), rules);
  if (what === "do/zone_damage") return [
    [Number(data.get("player")), data.get("zone"), Number(data.getAll("amount").at(-1).trim() || NaN)]
  ];
  return what === "do/phase" ? NOTHING : null;
}

const inGame = (players) => [...players.values()].filter((player) => !player.isOut);

function changesOfMore(data, players) {
  const player = data.get("player");
  const seats = player === "each" ? inGame(players).map(({ seat }) => seat) : [Number(player)];
  const sign = { gain: 1, lose: -1, poison: 1, cure: -1 } [data.get("typed")];
  const typed = ["gain", "lose"].includes(data.get("typed")) ? "life" : "poison";
  for (const total of ["life", "poison"])
    if (data.get(total)) return seats.map((seat) => [seat, total, Number(data.get(total))]);
  if (sign) return seats.map((seat) => [seat, typed, sign * Number(data.get("by").trim() || NaN)]);
  if (data.has("hero")) return seats.map((seat) => [seat, "life", 0]);
  return data.has("monarch") || data.has("turn") ? NOTHING : null;
}

const collected = (data) =>
  data.getAll("collected").map((key) => {
    const [source, target, amount, kind, infect, lifelink, toxic] = key.split(".");
    return {
      source: Number(source),
      target: Number(target),
      amount: Number(amount),
      kind,
      infect: infect === "1",
      lifelink: lifelink === "1",
      toxic: Number(toxic),
    };
  });

function aimed(data, players) {
  const source = Number(data.get("source"));
  const ticked = data.getAll("target");
  const others = inGame(players).filter(({ seat }) => seat !== source);
  const seats = ticked.includes("each") ? others.map(({ seat }) => seat) : ticked.map(Number);
  const hasSigns = data.has("signs");
  const hit = {
    source,
    amount: Number((data.get("amount") || data.get("typed")).trim() || NaN),
    kind: data.get("kind"),
    infect: hasSigns && data.has("infect"),
    lifelink: hasSigns && data.has("lifelink"),
    toxic: hasSigns ? Number(data.get("toxic")) : 0,
  };
  return seats.length ? seats.map((target) => ({ ...hit, target })) : [{ ...hit, target: NaN }];
}

// As scoring/rules/damage.py has it.
function changesOfHits(hits, { scores }) {
  const changes = [];
  for (const { source, target, amount, kind, infect, lifelink, toxic } of hits) {
    const isPossible = amount > 0 && (source || kind === "other") && (!toxic || kind === "combat");
    if (!isPossible) return null;
    changes.push(infect ? [target, "poison", amount] : [target, "life", -amount]);
    if (toxic) changes.push([target, "poison", toxic]);
    if (!source) continue;
    changes.push([source, "life", lifelink ? amount : 0]);
    if (scores.includes(kind) && source !== target) changes.push([source, "points", amount]);
  }
  return changes;
}

// --- the totals that these taps lead to, by seat, as far as they are sure ---
export function forecast(rows, taps, rules) {
  const players = new Map(rows.map((row) => [row.seat, { ...row, waiting: 0, isSure: true }]));
  const doubt = (some) => some.forEach((player) => (player.isSure = false));
  for (const tap of taps) {
    const changes = tap.isNew ? changesOf(tap, players, rules) : null;
    const touched = new Set(changes?.map(([seat]) => players.get(seat)));
    const isKnown = changes && [...touched].every((player) => player?.isSure && !player.isOut);
    for (const player of touched)
      if (player && !tap.isDone) player.waiting += 1;
    if (!isKnown) doubt([...(changes && !touched.has(undefined) ? touched : players.values())]);
    else if (!isPlain(changes, players)) doubt([...touched]);
    // Who reaches the cap ends the game, and so does who is the last one in it.
    const isOpen = inGame(players).filter((player) => player.isSure).length > 1;
    const isCapped = [...touched].some((player) => rules.cap && player?.points >= rules.cap);
    if (isCapped || (!isOpen && touched.size)) doubt([...players.values()]);
  }
  return players;
}

// Make the changes; whether everybody touched plays on with totals that the rules allow.
function isPlain(changes, players) {
  for (const [seat, total, by] of changes) players.get(seat)[total] += by;
  return changes.every(([seat, total]) => {
    const {
      limits: {
        [total]: [least, most]
      },
      [total]: now
    } = players.get(seat);
    return now >= least && now <= most;
  });
}

// --- who is the monarch once the taps count, by seat, 0 for nobody; null where that is not known ---
function monarchAfter(monarch, taps, players, rules) {
  if ([...players.values()].some(({ isSure }) => !isSure)) return null;
  for (const tap of taps) {
    const [game, what] = whatOf(tap.url);
    const data = new URLSearchParams(tap.body);
    if (!tap.isNew || game !== rules.game) return null;
    if (what === "more" && data.has("monarch"))
      monarch = data.getAll("monarch").at(-1) === "none" ? 0 : Number(data.get("player"));
    if (what !== "hit" && what !== "hits") continue;
    const hits = what === "hit" ? [...collected(data), ...aimed(data, players)] : collected(data);
    const taking = hits.findLast(({ kind, target }) => kind === "combat" && target === monarch);
    if (taking) monarch = taking.source;
  }
  return monarch;
}

function showMonarch(taps, players, rules) {
  const board = document.getElementById("players");
  const seatOf = (part) => Number(part?.closest(".player").dataset.seat ?? 0);
  board.dataset.monarch ??= seatOf(board.querySelector("h2 .crown"));
  const was = Number(board.dataset.monarch);
  const monarch = monarchAfter(was, taps, players, rules) ?? was;
  if (monarch === seatOf(board.querySelector("h2 .crown"))) return;
  for (const part of board.querySelectorAll("h2 .crown, h2 .crown + .vh")) part.remove();
  const heading = board.querySelector(`.player[data-seat="${monarch}"] h2`);
  heading?.querySelector("span").after(...crown(board));
}

// Drawn as whose turn it is, beside a name.
function crown(board) {
  const marker = [...board.querySelectorAll("h2 .active, h2 .active + .vh")];
  const [icon, word] = marker.map((part) => part.cloneNode(true));
  icon.classList.replace("active", "crown");
  const [drawing] = icon.children;
  drawing.setAttribute("href", drawing.getAttribute("href").replace("#turn", "#crown"));
  word.textContent = ", monarch";
  return [icon, word];
}

// --- whose turn the taps lead to: the seats in turn order, the active one first ---
function turnsAfter(turns, taps) {
  const undone = taps.map(({ body }) => new URLSearchParams(body).get("of"));
  for (const tap of taps) {
    const to = undone.includes(tap.id) ? -1 : turns.indexOf(turnBy(tap, turns));
    if (to > 0) turns = turns.slice(to) + turns.slice(0, to);
  }
  return turns;
}

// Whose turn a tap begins; one that was tapped in another turn may be on the board already.
function turnBy({ url, body, isNew }, turns) {
  const [, what] = whatOf(url);
  const data = new URLSearchParams(body);
  const tappedIn = data.get("seen")?.[0];
  if (what === "turn" || what === "end/turn") return tappedIn === turns[0] && turns[1];
  if (!isNew) return null;
  if (what === "more") return data.has("turn") && data.get("player");
  if (what !== "hit" && what !== "hits") return null;
  const hits = what === "hit" ? [...collected(data), ...aimed(data, new Map())] : collected(data);
  const attacker = String(hits.findLast(({ kind }) => kind === "combat")?.source);
  return attacker !== tappedIn && attacker;
}

function showPhase(taps) {
  const headline = document.querySelector("#setbar .headline");
  if (!headline) return;
  headline.dataset.was ??= headline.textContent;
  const tap = taps.findLast(({ url, isNew }) => isNew && whatOf(url)[1] === "do/phase");
  const next = document.querySelector("#phase small")?.textContent.replace("to ", "");
  const phase = tap && (new URLSearchParams(tap.body).get("to") || next);
  headline.textContent = phase ? `${capitalized(phase)} phase` : headline.dataset.was;
}

const capitalized = (word) => word[0].toUpperCase() + word.slice(1);

function showTurn(ahead) {
  const acts = document.querySelector("#acts[data-seen]");
  const isWaiting = ahead.some(({ isStep }) => isStep);
  for (const step of document.querySelectorAll("[data-step]")) step.disabled = isWaiting;
  if (!acts || acts.querySelector("[data-step]")) return;
  const [was] = acts.dataset.seen.split(" ");
  const [game] = whatOf(acts.querySelector("a").pathname);
  const turns = turnsAfter(was, ahead.filter(({ url }) => whatOf(url)[0] === game));
  if (turns === (acts.dataset.turns ?? was)) return;
  acts.dataset.turns = turns; // by which a board that comes is another one
  moveTurn(acts, turns[0], turns[1] ?? turns[0], turns === was);
  for (const seen of document.querySelectorAll("#main [name=seen]"))
    seen.value = seen.value.replace(/^\S*/, turns);
}

function moveTurn(acts, active, next, isBack) {
  const rowOf = (seat) => document.querySelector(`.player[data-seat="${seat}"]`);
  const nameOf = (seat) => document.querySelector(`#from-${seat} + .face :is(b, span)`).textContent; // the shorter one
  const marker = document.querySelectorAll(".player h2 .active, .player h2 .active + .vh");
  for (const row of document.querySelectorAll(".player")) row.classList.toggle("turn", row === rowOf(active));
  rowOf(active).querySelector("h2").append(...marker);
  document.querySelector("#setbar .grow b").textContent = nameOf(active);
  const to = acts.querySelector(".turnbtn small");
  to.textContent = to.textContent.replace(/to [^]*?(?=\??$)/, () => `to ${nameOf(next)}`);
  for (const part of document.querySelectorAll("[data-turn]")) {
    if (part.matches("input")) part.value = active;
    else if (part.matches("a")) part.search = `?player=${active}`;
    else if (part.matches("button")) part.disabled = !isBack; // only the server knows what it would do
    else part.textContent = nameOf(active);
  }
  moveSource(active);
}

// Who hits is the active player, unless somebody else is chosen already.
function moveSource(active) {
  const sources = [...document.querySelectorAll(".from input")];
  const chosen = sources.find(({ checked, defaultChecked }) => checked && !defaultChecked);
  for (const source of sources) source.defaultChecked = source.value === active;
  (chosen ?? sources.find(({ value }) => value === active)).checked = true;
}

// --- the rows ---
const rowsOf = (board) => [...board.querySelectorAll(".player")].map((row) => ({
  row,
  seat: Number(row.dataset.seat),
  life: Number(row.dataset.life),
  poison: Number(row.dataset.poison),
  points: Number(row.dataset.points),
  ...zonesOf(row),
  isOut: row.matches(".gone"),
}));

// The damage of each zone of a capital in Realm Wars, which burns beyond its limit.
function zonesOf(row) {
  const limits = { ...ALIVE };
  const zones = {};
  for (const zone of row.querySelectorAll("[data-burns]")) {
    const name = zone.dataset.total;
    row.dataset[name] ??= zone.textContent;
    zones[name] = Number(row.dataset[name]);
    limits[name] = [1, zone.dataset.burns - 1];
  }
  return { ...zones, limits };
}

function showTotals(done, late) {
  const form = document.getElementById("change");
  const menu = document.querySelector("#main:has([data-burns]) #acts a");
  if (!form && !menu) return;
  const { game, cap, scores } = form?.dataset ?? { game: whatOf(menu.pathname)[0], cap: 0, scores: "" };
  const isVoting = document.querySelector(".voting"); // until it is over, all else is refused
  const taps = [...done, ...late].map((tap) => ({ ...tap, isNew: tap.isNew && !isVoting }));
  const rules = { game, cap: Number(cap), scores: scores.split(" ") };
  const players = forecast(rowsOf(document), taps, rules);
  showMonarch(taps, players, rules);
  showHeroes(taps, rules);
  addRanks([...players.values()]);
  for (const player of players.values()) showRow(player);
}

// Where each hero is, as the last of these taps has it.
function showHeroes(taps, { game }) {
  const to = {};
  for (const { url, body, isNew } of taps) {
    const data = new URLSearchParams(body);
    if (isNew && whatOf(url).join() === `${game},more` && data.has("hero")) to[data.get("player")] = data.get("hero");
  }
  for (const word of document.querySelectorAll("#players .signs .mild .word")) {
    word.dataset.was ??= word.textContent;
    const zone = to[word.closest(".player").dataset.seat];
    word.textContent = zone ? capitalized(zone) : word.dataset.was;
  }
}

// The sums of the set, and the ranks by them, if those of the board go by them as well.
function addRanks(players) {
  for (const player of players) {
    const { set, points } = player.row.dataset;
    player.before = Number(set);
    player.set = player.before + player.points - points;
  }
  const rank = (total, one) => 1 + players.filter((other) => other[total] > one[total]).length;
  const isKnown = players.every((one) => one.isSure && rank("before", one) === Number(one.row.dataset.rank));
  for (const player of players) player.rank = isKnown ? rank("set", player) : player.row.dataset.rank;
}

function showRow({ row, waiting, isSure, ...totals }) {
  for (const total of row.querySelectorAll("[data-total]")) {
    const is = isSure ? totals[total.dataset.total] : row.dataset[total.dataset.total];
    total.classList.toggle("late", String(is) !== row.dataset[total.dataset.total]);
    if (total.textContent !== String(is)) total.textContent = is;
  }
  const bar = row.querySelector("[data-total=points]") && row.querySelector("progress");
  if (bar) bar.value = isSure ? totals.points : row.dataset.points;
  row.querySelector(".signs .late")?.remove();
  if (isSure && !waiting) return;
  const poison = isSure && String(totals.poison) !== row.dataset.poison ? `, ${totals.poison} poison` : "";
  const [icon] = document.getElementById("waiting-tap").content.querySelectorAll("svg");
  const word = Object.assign(document.createElement("span"), { className: "word", textContent: "waiting" });
  const sign = Object.assign(document.createElement("li"), { className: "late" });
  sign.append(icon.cloneNode(true), ...(isSure ? [`${waiting} `, word, poison] : ["waits"]));
  row.querySelector(".signs").prepend(sign);
}

// --- all of it ---
export function showTaps({ taps, table, late, done, ours, isHeld, isRecorded, isReached }) {
  showTotals(done, late);
  showTurn([...done, ...ours]);
  showPhase([...done, ...ours]);
  showElsewhere(taps.filter((tap) => tap.table !== table));
  const state = late.length ? "waiting" : isReached ? "live" : "offline";
  for (const part of document.querySelectorAll("#net > *")) part.hidden = part.dataset.net !== state;
  for (const count of document.querySelectorAll("#net b")) count.textContent = late.length;
  // Who votes next is known once the vote before is: these buttons are for one tap at a time.
  for (const one of document.querySelectorAll(".voting .ballot button")) one.disabled = late.length > 0;
  nameInUndo(late.at(-1), isRecorded);
  const place = document.getElementById("outbox");
  if (!place) return;
  const refused = taps.filter((tap) => tap.table === table && tap.refused);
  const listed = late.filter((tap) => !isHeld(tap)).slice(-3);
  const shown = [...refused, ...listed].map((tap) => [tap.number, tap.words, tap.refused].join()).join();
  if (shown === place.shown) return; // a button in it keeps the focus, nothing is said twice
  place.shown = shown;
  place.replaceChildren(...refused.map(drawRefused), ...listed.map(drawWaiting));
  place.hidden = !place.children.length;
}

function nameInUndo(tap, isRecorded) {
  const undo = document.querySelector(".undo #undo:not([data-asks])"); // that takes out what is collected
  const small = undo?.querySelector("small");
  if (!undo || (!tap && !undo.form.dataset.of)) return;
  const { dataset } = undo.form;
  if (tap) {
    dataset.was ??= undo.disabled ? "" : small.textContent;
    dataset.of = tap.id;
    small.textContent = tap.words;
    undo.disabled = false;
  } else if (!isRecorded(dataset.of)) { // else the board that names it is on its way
    small.textContent = dataset.was || "nothing yet";
    undo.disabled = !dataset.was;
    delete dataset.of;
    delete dataset.was;
  }
}

function showElsewhere([tap]) {
  const notice = document.getElementById("elsewhere");
  notice.hidden = !tap;
  if (tap) notice.querySelector("a").href = tap.table;
}

function draw(name, tap) {
  const drawn = document.getElementById(name).content.cloneNode(true);
  drawn.querySelector("b").textContent = tap.words;
  return drawn;
}

const drawWaiting = (tap) => draw("waiting-tap", tap);

function drawRefused(tap) {
  const drawn = draw("refused-tap", tap);
  const [game] = whatOf(tap.url);
  drawn.querySelector("b").textContent = `Game ${game}: ${tap.words}`;
  drawn.querySelector("small").textContent = tap.refused;
  const [again, forget] = drawn.querySelectorAll("button");
  if (tap.again && tap.again.words !== tap.words) again.textContent = tap.again.words;
  const does = (what) => () => document.dispatchEvent(new CustomEvent(what, { detail: tap }));
  again.onclick = does("send-again");
  forget.onclick = does("drop");
  return drawn;
}
