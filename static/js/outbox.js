// Taps are kept on the phone until the server has answered them: without a connection, over a
// reload, and when an answer was lost. They go out in the order in which they were made; each has
// an id of its own, by which the server counts it once. What it refuses is shown, to be sent again
// or dropped. Pages of other things send what waits too, and say where it was made. A tap belongs to
// the account that made it: it is neither sent nor shown while another is signed in.
const table = document.querySelector("main")?.dataset.outbox; // the address of the pad
const PATIENCE = 10_000; // milliseconds
const PAUSE_MAX = 30_000;
const QUICK = 400; // an answer within these needs no word of waiting
const HOLD = 2000; // changes of one counter within these are one event
const NAMELESS = "a tap from before you signed out";
let isOpen = false;
let isReached = navigator.onLine;
let pause = 1000;
let retry;
const made = new Set(); // ids of the taps of this page,
let prompt = new Set(); // and of those whose first answer has not failed yet
const recordedIds = new Set(); // of any page's taps that this one sent
let done = []; // taps recorded since the board came
let doneBeside; // that has this part
const doneHere = () => (doneBeside === document.getElementById("acts") ? done : []);
const boardsAt = new Map(); // how many boards had come when a tap of this page was first sent
let isLeaving = false;

// --- the store ---
const open = () =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("outbox", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore("taps", { keyPath: "number", autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
let database = open();

async function stored(act) {
  try {
    return await attempt(act);
  } catch {
    database = open(); // phones close it behind a page that was away
    return attempt(act);
  }
}

async function attempt(act) {
  const work = (await database).transaction("taps", "readwrite");
  const asked = act(work.objectStore("taps"));
  return new Promise((resolve, reject) => {
    work.oncomplete = () => resolve(asked.result);
    work.onabort = () => reject(work.error);
  });
}

// Change a tap if it is still there and as expected, with nothing in between; say whether it was.
async function change({ number }, isExpected, act) {
  let was = false;
  await stored((taps) => {
    const asked = taps.get(number);
    asked.onsuccess = () => {
      was = asked.result !== undefined && isExpected(asked.result);
      if (was) act(taps, asked.result);
    };
    return asked;
  });
  return was;
}

// Committed at once: the page may be left the next moment, which would end what is under way.
function written(taps, tap) {
  const asked = taps.put(tap);
  taps.transaction.commit?.();
  return asked;
}

const everybodys = () => stored((taps) => taps.getAll());
const all = async () => (await everybodys()).filter(isOwn);
const put = (tap) => stored((taps) => written(taps, tap));
const drop = (tap) => stored((taps) => taps.delete(tap.number));
const waiting = async () => (await all()).filter((tap) => !tap.refused);
const markTried = (tap) => change(tap, () => true, (taps, one) => taps.put({ ...one, tried: true }));
const sendAgain = (tap) => change(tap, () => true, (taps, one) => taps.put({ ...one, ...one.again, refused: "" }));

// --- whose taps they are ---
const account = () => /(?:^|; )account=([^;]*)/.exec(document.cookie)?.[1] ?? "";

// With the scorekeeper link, a tap of who signed out may still go out from its own table.
function isOwn(tap) {
  return !tap.account || tap.account === account() || (!account() && tap.table === table);
}

async function forgetNames() {
  for (const tap of (await everybodys()).filter((one) => !isOwn(one))) {
    const refused = tap.refused && "Send it again to see why.";
    const bare = { words: NAMELESS, refused, again: null };
    await change(tap, () => true, (taps, one) => taps.put({ ...one, ...bare }));
  }
}

// --- a tap is made ---
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const records = form.matches("[data-tap]") && !submitter?.matches("[data-asks]");
  if (!records || !isOpen || form.elements.together?.checked) return; // htmx takes it
  event.preventDefault();
  event.stopPropagation();
  keep(form, submitter).catch(() => (document.getElementById("lost").hidden = false)); // full, say
}, true);

let keeping = Promise.resolve(); // one tap at a time: some are added to the one before

function keep(form, button) {
  const tap = read(form, button);
  document.querySelector("main .problem[role=alert]")?.remove(); // it was read
  if (form.id === "pad") clear(form);
  else if (form.id !== "change") {
    form.reset();
    const pad = document.getElementById("pad");
    if (pad) release(pad); // it was begun in another state
  }
  if (tap.body.includes("collected=")) forgetCollected();
  const { of } = form.dataset; // the tap that Undo names: it may be recorded, or not
  if (of) tap.body += `&of=${of}`;
  made.add(tap.id);
  const numbered = put(tap);
  const goOn = () => numbered.then((number) => enqueue({ ...tap, number }, of));
  keeping = keeping.then(goOn, goOn);
  return keeping;
}

async function enqueue(tap, of) {
  const here = (await waiting()).filter((one) => one.table === table);
  const before = here.filter((one) => one.number < tap.number);
  if (tap.until && (await isAdded(tap, before.at(-1)))) return show();
  if (of && (await isTakenBack(tap, before.find((one) => one.id === of)))) return show();
  if (!before.length) prompt.add(tap.id);
  await show();
  if (!tap.until) setTimeout(late, QUICK, tap);
  drain();
}

// Changes of one counter add up while the first of them is not sent; back at nothing, it is gone.
async function isAdded(tap, last) {
  if (!last || !isHeld(last)) return false;
  const { sum } = await import("./waiting.js");
  if (!sum(last, tap)) return false;
  return change(last, (one) => !one.tried, (taps, one) => {
    const both = sum(one, tap);
    both.by ? taps.put(both) : taps.delete(one.number);
    taps.delete(tap.number);
  });
}

// Undo of a tap that was not sent yet: both go.
async function isTakenBack(undo, tap) {
  if (!tap) return false;
  return change(tap, (one) => !one.tried, (taps, one) => {
    taps.delete(one.number);
    taps.delete(undo.number);
  });
}

function isHeld({ until }) {
  const left = until - Date.now();
  const isHere = document.visibilityState === "visible" && document.getElementById("change");
  return left > 0 && left <= HOLD && Boolean(isHere) && !isLeaving;
}

async function late(tap) {
  const waits = (await waiting()).some((one) => one.id === tap.id);
  if (!waits || location.pathname === table) return show();
  prompt.delete(tap.id); // a refusal is told where the tap can be seen to wait
  location.assign(table);
}

function read(form, button) {
  const data = new FormData(form);
  if (button?.name) data.append(button.name, button.value);
  const id = randomId();
  data.set("tap_id", id);
  data.delete("csrfmiddlewaretoken");
  const ring = form.querySelector(`.to .last-${data.get("source")} input`);
  if (ring && !data.has("target")) data.set("target", ring.value); // what is seen is what is meant
  const to = button?.hasAttribute("formaction") ? button.formAction : form.action;
  const { pathname, search } = new URL(to);
  const body = new URLSearchParams(data).toString();
  const url = pathname + search;
  const at = Date.now();
  const until = form.id === "change" && at + HOLD;
  const isStep = Boolean(button?.matches("[data-step]"));
  const said = words(form, button, ring);
  return { id, table, account: account(), url, body, words: said, at, until, isStep, tried: false };
}

// The pad for the next hit, with the ring on whom the source hit last, as the server will draw it.
function clear(pad) {
  const { source, target } = Object.fromEntries(new FormData(pad));
  const [ticked, ...others] = pad.querySelectorAll(".to :checked");
  // Later: what was tapped before this module was there meant the rings of that moment.
  if (source && ticked && !others.length && target !== "each") setTimeout(moveRing, 0, pad, source, ticked);
  release(pad);
}

function moveRing(pad, source, ticked) {
  for (const key of pad.querySelectorAll(".to .key")) key.classList.remove(`last-${source}`);
  ticked.closest(".key").classList.add(`last-${source}`);
}

// Back to what the pad starts with, also if it came with what was refused: a number goes, and so do
// choices where hits are entered.
function release(pad) {
  if (pad.dataset.stamp?.endsWith(".typed")) {
    const { turns, seen } = document.getElementById("acts").dataset;
    const active = pad.querySelector(`.from [value="${(turns ?? seen)[0]}"]`);
    const first = [active, pad.querySelector(".kind input")];
    for (const one of pad.querySelectorAll("input:not([type=hidden])"))
      if (!one.matches("[type=radio], [type=checkbox]")) one.defaultValue = "";
      else if (active) one.defaultChecked = first.includes(one);
  }
  pad.reset();
}

// What was collected went with this tap, and must not go with the next one too.
function forgetCollected() {
  for (const one of document.querySelectorAll(".tray, [name=collected]")) one.remove();
  const undo = document.querySelector("#undo[data-asks]");
  if (undo) undo.disabled = true; // what it takes out has gone
  const together = document.getElementById("together");
  if (together) together.checked = together.defaultChecked = false;
  history.replaceState(null, "", table);
  document.dispatchEvent(new Event("htmx:afterSettle")); // as it is now it is stored: see install.js
}

function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is for https only
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const text = (element) => element.textContent.replace(/\s+/g, " ").trim();

function words(form, button, ring) {
  if (form.id === "change") return button.ariaLabel;
  const chosen = (part) => [...form.querySelectorAll(`${part} input:checked`)].map((input) => text(input.labels[0]));
  if (!form.querySelector(".from")) {
    const what = button.closest("fieldset")?.querySelector("legend");
    const typed = [...form.querySelectorAll("input:not([type])")].map((input) => input.value);
    return [...chosen(".seats"), ...typed, what ? text(what) : "", text(button)].filter(Boolean).join(" · ");
  }
  const targets = chosen(".to").length || !ring ? chosen(".to") : [text(ring.labels[0])];
  const amount = button?.value || form.elements.typed.value;
  return `${chosen(".from")} → ${targets.join(", ")} ${amount}, ${chosen(".kind")}`;
}

// --- taps go out, one tab at a time ---
let line = Promise.resolve();
const alone = (work) =>
  navigator.locks ? navigator.locks.request("outbox", work) : (line = line.then(work, work));

async function drain() {
  clearTimeout(retry);
  if (await alone(sendAll).catch(() => false)) {
    pause = 1000;
    return show(); // another tab may have sent what is shown here
  }
  prompt = new Set();
  await show();
  retry = setTimeout(drain, pause);
  pause = Math.min(2 * pause, PAUSE_MAX);
}

async function sendAll() {
  for (;;) {
    const [tap, behind] = await waiting();
    if (!tap) return true;
    if (!behind && isHeld(tap)) {
      retry = setTimeout(drain, tap.until - Date.now());
      return true;
    }
    if (!(await isThere())) return false;
    if (!tap.tried) boardsAt.set(tap.id, boards);
    if (!(await markTried(tap))) continue; // taken back meanwhile
    if (!(await isAnswered(tap))) return false;
    await show();
  }
}

async function isAnswered(tap) {
  isSending = true;
  try {
    const answer = await send(tap);
    if (answer) await (answer.ok ? recorded(tap, answer) : refused(tap, answer));
    return Boolean(answer);
  } finally {
    isSending = false;
    document.dispatchEvent(new Event("answered"));
  }
}

// A tap that was never sent can still be taken back here. Without the internet there may be a server.
async function isThere() {
  if (navigator.onLine) return true;
  const asked = fetch("/sw.js", { method: "HEAD", cache: "no-store" });
  return asked.then(() => true, () => false);
}

async function send(tap) {
  const headers = {
    "HX-Request": "true",
    "X-CSRFToken": /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "",
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const pad = tap.table === table ? document.getElementById("pad") : null;
  const body = pad ? `${tap.body}&pad=${padShown(pad)}` : tap.body;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(tap.url, { method: "POST", headers, body, signal, keepalive: isLeaving });
    const again = answer.status >= 500 || answer.status === 429;
    const { ok, status, redirected } = answer;
    const html = await answer.text();
    isReached = !again;
    const address = answer.headers.get("HX-Replace-Url");
    const version = answer.headers.get("Board-Version");
    const kept = answer.headers.get("HX-Reswap") === "none" ? pad : null; // the answer is without
    return again ? null : { ok, status, html, address, version, redirected, kept };
  } catch {
    isReached = false;
    return null;
  }
}

async function recorded(tap, answer) {
  recordedIds.add(tap.id);
  done = [...doneHere(), { ...tap, isDone: true, isNew: boardsAt.get(tap.id) === boards }];
  doneBeside = document.getElementById("acts");
  await drop(tap);
  if (navigator.userActivation?.isActive) navigator.vibrate?.(12);
  if (tap.table !== table) return;
  const isLast = !(await waiting()).length;
  if (location.pathname !== table) return isLast && made.has(tap.id) && location.assign(table);
  if (answer.address) history.replaceState(null, "", answer.address);
  const pad = document.getElementById("pad");
  // Collected hits that this tap was not about: the answer knows nothing of them.
  const isCollecting = document.querySelector(".tray") !== null;
  const isInUse = answer.kept ? answer.kept !== pad || isCollecting : pad && isTouched(pad);
  if (answer.redirected || pressed || isInUse) return document.dispatchEvent(new Event("stale"));
  if (answer.kept) replaceParts(answer.html);
  else replaceMain(answer.html);
  // After a repeated tap there may be an event of somebody else, who is not named in its answer.
  if (prompt.has(tap.id)) document.dispatchEvent(new CustomEvent("placed", { detail: answer.version }));
}

async function refused(tap, { status, html, address }) {
  const isShown = html.includes('id="pad"') || location.pathname !== table; // with what was entered
  const pad = document.getElementById("pad");
  const isInUse = pressed || (pad && isTouched(pad)); // the next tap
  if (status === 422 && prompt.has(tap.id) && isShown && !isInUse) {
    await drop(tap);
    if (address) history.replaceState(null, "", address);
    return replaceMain(html);
  }
  // What was tapped on a sheet is shown there again.
  const again = new CustomEvent("refused", { detail: html, cancelable: true });
  if (status === 422 && prompt.has(tap.id) && !document.dispatchEvent(again)) return drop(tap);
  const page = new DOMParser().parseFromString(html, "text/html");
  const problem = page.querySelector(".problem:not([hidden])") ?? page.querySelector("main p");
  const why = problem?.textContent.trim() || `Refused (${status}).`;
  await put({ ...tap, tried: true, refused: why, again: asItStands(tap, page) });
  document.dispatchEvent(new Event("stale"));
}

// The same tap as the page that refused it shows the game: "Turn" is to whoever is next now.
function asItStands({ url, body, words: said }, page) {
  const seen = page.getElementById("acts")?.dataset.seen ?? page.querySelector("main [name=seen]")?.value;
  const data = new URLSearchParams(body);
  if (!seen || !data.has("seen")) return null;
  data.set("seen", seen);
  const turn = url.endsWith("/turn/") && page.querySelector(".turnbtn");
  return { body: data.toString(), words: turn ? text(turn) : said };
}

// --- what is shown of it: by a module that no page waits for ---
async function show() {
  const [taps, { showTaps }] = await Promise.all([all(), import("./waiting.js")]);
  const now = Date.now();
  const isLate = (tap) => isHeld(tap) || !prompt.has(tap.id) || now - tap.at >= QUICK;
  const isRecorded = (id) => recordedIds.has(id);
  const own = taps.filter((tap) => tap.table === table && !tap.refused);
  // A tap may be on the board already if that came after it was sent.
  const ours = own.map((tap) => ({ ...tap, isNew: !tap.tried || boardsAt.get(tap.id) === boards }));
  showTaps({ taps, table, late: ours.filter(isLate), done: doneHere(), ours, isHeld, isRecorded, isReached });
}

document.addEventListener("send-again", ({ detail: tap }) => sendAgain(tap).then(drain));
document.addEventListener("drop", ({ detail: tap }) => drop(tap).then(show));

// What is held goes out before the page is left, which the sheet's links don't do.
window.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
  if (!link || link.target || !isPlain || !document.querySelector(".player .late")) return;
  event.preventDefault();
  isLeaving = true;
  await Promise.race([drain(), new Promise((resolve) => setTimeout(resolve, 1000))]);
  location.assign(link.href);
});

document.addEventListener("reached", async ({ detail }) => {
  const isBack = detail && !isReached;
  isReached = detail;
  if (isBack) await drain();
  show();
});
document.addEventListener("htmx:afterSettle", show);
for (const occasion of ["online", "pageshow"]) window.addEventListener(occasion, () => drain());
window.addEventListener("offline", () => {
  isReached = false;
  show();
});
window.addEventListener("pageshow", () => (isLeaving = false));
document.addEventListener("visibilitychange", () => drain());

const hasStore = await database.then(() => true, () => false);
isOpen = hasStore && Boolean(table);
if (hasStore) forgetNames().then(drain, drain);
