// The tablet in the middle of the table: a hit is drawn from seat to seat, or both are tapped, or
// chosen by Enter; then the keys for how much open, turned to who attacks. What is sent are forms,
// which outbox.js keeps and sends as those of the pad.
const FAR_ENOUGH = 24; // pixels; less is a tap
const main = document.getElementById("main");
const { outbox: here } = main.dataset;
const pad = here.replace(/tablet\/$/, "");
const line = document.body.appendChild(Object.assign(document.createElement("div"), { className: "line-of-hit" }));
let attacker = ""; // whom the first tap chose, by seat
let drawn = null; // the line under the finger: where it began, and from whom
let wasDrawn = false; // a click that ends a line is none

const keys = () => document.getElementById("hit");
const aims = () => [...document.querySelectorAll(".aim")];
const seatOf = (part) => part?.closest(".player:has(.aim)")?.dataset.seat ?? "";
const quarterOf = (seat) => document.querySelector(`.player[data-seat="${seat}"]`);
const nameOf = (seat) => quarterOf(seat).querySelector("h2 span").textContent;

// --- who attacks is marked, also on a board that came meanwhile ---
function show() {
  if (!quarterOf(attacker)?.querySelector(".aim")) attacker = "";
  for (const aim of aims()) {
    const seat = seatOf(aim);
    aim.ariaPressed = seat === attacker;
    aim.querySelector(".vh").textContent = words(seat);
  }
}

function words(seat) {
  if (!attacker) return `${nameOf(seat)} hits`;
  return seat === attacker ? `${nameOf(seat)} hits: choose whom` : `${nameOf(attacker)} hits ${nameOf(seat)}`;
}

function choose(seat, byKeyboard) {
  if (attacker && seat !== attacker) return open(attacker, seat, byKeyboard);
  attacker = attacker ? "" : seat;
  show();
}

// --- the keys for how much ---
function open(from, to, byKeyboard) {
  attacker = from;
  show();
  const form = document.getElementById("pad");
  form.reset();
  document.getElementById(`from-${from}`).checked = true;
  document.getElementById(`to-${to}`).checked = true;
  document.getElementById("hit-title").textContent = words(to);
  keys().classList.toggle("far", Boolean(quarterOf(from).closest(".far")));
  keys().showModal();
  // A finger needs no keyboard on the screen.
  document.getElementById(byKeyboard ? "typed" : "hit-title").focus();
}

document.addEventListener("close", ({ target }) => {
  if (target !== keys()) return;
  const was = attacker;
  attacker = "";
  document.getElementById("pad").reset();
  show();
  document.getElementById(`aim-${was}`)?.focus();
}, true);

document.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
  const { left, right, top, bottom } = target.getBoundingClientRect();
  const isBeside = target === keys() && (x < left || x > right || y < top || y > bottom);
  if (isBeside || target.closest("[data-close]")) keys().close();
});

// Digits are for the number, wherever the focus is.
document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Escape" && attacker && !keys()?.open) choose(attacker);
  if (keys()?.open && /^\d$/.test(key) && !target.matches("input:not([type=radio], [type=checkbox])"))
    document.getElementById("typed").focus();
});

// --- taps: two of them, or the keyboard's ---
document.body.addEventListener("click", (event) => {
  const aim = event.target.closest(".aim");
  if (!event.target.closest(".player") || event.target.closest("a")) return;
  event.stopPropagation(); // on the pad a tap on a row chooses whom to hit
  if (aim && !(wasDrawn && event.detail)) choose(seatOf(aim), event.detail === 0);
});

// --- a line from seat to seat ---
const seatAt = ({ clientX, clientY }) => seatOf(document.elementFromPoint(clientX, clientY));

document.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary) return; // a second finger
  wasDrawn = false;
  const isAim = event.button === 0 && event.target.closest(".aim");
  drawn = isAim ? { x: event.clientX, y: event.clientY, from: seatOf(event.target), isLong: false } : null;
});

document.addEventListener("pointermove", (event) => {
  if (!drawn || !event.isPrimary) return;
  const [across, down] = [event.clientX - drawn.x, event.clientY - drawn.y];
  const length = Math.sqrt(across ** 2 + down ** 2);
  drawn.isLong ||= length > FAR_ENOUGH;
  if (!drawn.isLong) return;
  const to = seatAt(event);
  const place = { x: `${drawn.x}px`, y: `${drawn.y}px`, length: `${length}px`, angle: `${Math.atan2(down, across)}rad` };
  for (const [name, value] of Object.entries(place)) line.style.setProperty(`--${name}`, value);
  line.classList.add("drawn");
  for (const aim of aims()) aim.classList.toggle("met", to !== drawn.from && seatOf(aim) === to);
});

function endLine() {
  line.classList.remove("drawn");
  for (const aim of aims()) aim.classList.remove("met");
  drawn = null;
}

document.addEventListener("pointercancel", ({ isPrimary }) => isPrimary && endLine());
document.addEventListener("pointerup", (event) => {
  if (!event.isPrimary) return;
  const { from, isLong } = drawn ?? {};
  const to = isLong && seatAt(event);
  wasDrawn = Boolean(isLong);
  endLine();
  if (to && to !== from) open(from, to, false);
});

// --- every form says that it was sent from here, also those of pages that open as a sheet ---
window.addEventListener("submit", ({ target: form }) => {
  if (form.method !== "post") return;
  if (!form.elements.tablet)
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "tablet", value: turned() }));
  if (form.id === "pad") setTimeout(() => keys()?.close());
  if (form.id === "monarch") setTimeout(() => form.hidePopover());
}, true);

const turned = () => (location.search === "?upright" ? "upright" : "around");

// Back from a sheet is to the board, and not to the pad.
document.addEventListener("click", (event) => {
  const link = event.target.closest("#sheet a");
  if (link?.pathname !== pad) return;
  event.preventDefault();
  link.closest("dialog").close();
}, true);

document.addEventListener("htmx:afterSettle", show);
show();
