// What HTML and htmx can't do: keep the screen awake, load what a part of the page needs, answer a
// tap with a short buzz, and tell the server the visitor's time zone.

// --- a page loads itself again once, and then not before somebody touches it: else it may never end ---
const RELOADED = "reloaded";

function reloadOnce() {
  if (sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, location.href);
  location.reload();
  return true;
}

for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => sessionStorage.removeItem(RELOADED), true);
}

// --- taps are kept by a module that no page waits for: what is tapped before waits for it ---
let hasOutbox = false;
const outbox = import("./outbox.js").catch(() => null).then(() => (hasOutbox = true));
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (hasOutbox || !form.matches("[data-tap]") || form.elements.together?.checked) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const tapped = entered(form);
  if (form.id === "pad") form.reset();
  await outbox;
  const begun = entered(form); // the next tap
  enter(tapped);
  if (form.isConnected) form.requestSubmit(submitter);
  else document.getElementById("lost").hidden = false; // another board came meanwhile
  enter(begun);
}, true);
const entered = (form) => [...form.elements].map((one) => [one, one.checked, one.value]);
const enter = (all) => all.forEach(([one, checked, value]) => Object.assign(one, { checked, value }));

// --- the visitor's zone, for the times the server writes ---
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const cookie = `zone=${zone}`;
if (zone && !document.cookie.includes(cookie)) {
  document.cookie = `${cookie};path=/;max-age=31536000;samesite=lax`;
  const shown = document.querySelector("time:not([data-since])"); // in another zone so far
  if (shown && document.cookie.includes(cookie)) reloadOnce();
}

// --- awake while a game runs; browsers drop the lock with every dialog and on leaving the page ---
let lock = null;
let asking = false;

async function stayAwake() {
  const wanted = document.querySelector("[data-awake]") && document.visibilityState === "visible";
  if (!wanted) return lock?.release();
  if (asking || !navigator.wakeLock || (lock && !lock.released)) return;
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // refused, on low battery say: asked again at the next occasion
  } finally {
    asking = false;
  }
}

document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:afterSettle", stayAwake);
for (const occasion of ["pageshow", "focus", "pointerup"]) window.addEventListener(occasion, stayAwake);

// --- what a part of the page does beyond this is in a module, which the part names ---
function loadModules() {
  for (const { dataset } of document.querySelectorAll("[data-module]"))
    if (matchMedia(dataset.media ?? "all").matches) import(dataset.module);
}

document.addEventListener("htmx:afterSettle", loadModules);
loadModules();

// --- the counters of a row open in sight, and close with the next tap elsewhere ---
document.addEventListener("toggle", ({ target }) => {
  const keys = target.open && target.closest(".player")?.querySelector(".counters");
  if (keys) keys.scrollIntoView({ block: "nearest" });
}, true);
// Else a tap on a row chooses whom to hit.
document.addEventListener("click", ({ target }) => {
  const open = document.querySelector(".player details[open]");
  const row = target.closest(".player");
  if (open && !open.closest(".player").contains(target)) open.open = false;
  else if (row && !target.closest("details, .counters"))
    document.getElementById(`to-${row.dataset.seat}`)?.click();
});

// --- a trembling finger taps twice: what follows a tap at once is not meant ---
const TREMBLE = 350; // milliseconds
const NEAR = 40; // pixels
let lastTap = 0;
let lastPlace = [0, 0];

document.addEventListener(
  "click",
  (event) => {
    const byFinger = event.detail > 0; // a key's click counts no taps
    if (!byFinger || !event.target.closest("form button:not([type=button])")) return;
    const now = Date.now();
    const isNear = Math.hypot(event.clientX - lastPlace[0], event.clientY - lastPlace[1]) < NEAR;
    if (now - lastTap < TREMBLE && isNear) event.preventDefault();
    lastTap = now;
    lastPlace = [event.clientX, event.clientY];
  },
  true,
);

// --- the whole of another page takes this one's place, without leaving it ---
function replaceMain(html) {
  const was = document.getElementById("main");
  htmx.swap("#main", html, { swapStyle: "outerHTML" }, { select: "#main" });
  keepOpen(document, was);
}

// --- what somebody has opened stays open ---
function keepOpen(fresh, was) {
  for (const { id } of was.querySelectorAll("details[open][id]"))
    fresh.querySelector(`#${id}`)?.setAttribute("open", "");
}

// --- or parts of it do, each by its id ---
const replaceParts = (html) => htmx.swap(document.body, html, { swapStyle: "none" });

// --- how many boards were put in place that somebody else may have changed: see live.js, outbox.js ---
let boards = 0;

// --- while a tap is under way no board is asked for: the browser may get its number with the answer ---
let isSending = false;

// --- while a finger is down nothing moves under it, nor until its click, which comes later ---
const CLICKS_WITHIN = 500; // milliseconds; a finger that rested has no click
let pressed = false;
let lifting;

function lift(wait) {
  clearTimeout(lifting);
  lifting = setTimeout(() => {
    pressed = false;
    document.dispatchEvent(new Event("lifted"));
  }, wait);
}

document.addEventListener("pointerdown", ({ button }) => {
  if (button) return; // for a menu of the browser, which keeps the end to itself
  clearTimeout(lifting);
  pressed = true;
}, true);
document.addEventListener("pointerup", () => lift(CLICKS_WITHIN), true);
for (const end of ["click", "pointercancel"]) document.addEventListener(end, () => lift(0), true);

// --- a form on which somebody has begun to enter something is not taken from under the finger ---
function isTouched(form) {
  const differs = (input) => // a box without a value of its own would always seem to
    input.checked !== input.defaultChecked || input.value !== input.defaultValue;
  const isRefused = form.parentElement.querySelector(".problem"); // and is read at this moment
  const all = form.closest("[hx-preserve]") ?? form; // what goes if the form goes
  return isRefused || [...all.querySelectorAll("input:not([type=hidden])")].some(differs);
}

// --- which pad the page shows: the server leaves out what is right already ---
function padShown(pad) {
  const sources = [...pad.querySelectorAll(".from input:not([value=''])")].map(({ value }) => value);
  const lastHitBy = (source) => [...pad.querySelectorAll(`.to .last-${source} input`)];
  const rings = sources.flatMap((source) => lastHitBy(source).map(({ value }) => source + value));
  return [pad.dataset.stamp, ...rings].join(".");
}

// --- a recorded tap is answered by the hand too; no answer, and a closed door, are told ---
document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, requestConfig } = event.detail;
  const turnedAway = xhr.status >= 400 && xhr.status < 500 && xhr.status !== 422;
  const lost = xhr.status === 0 || xhr.status >= 500;
  document.getElementById("turned-away").hidden = !turnedAway;
  document.getElementById("lost").hidden = !lost;
  if (lost || turnedAway) lastTap = 0;
  if (requestConfig.verb === "post" && xhr.status >= 200 && xhr.status < 400) navigator.vibrate?.(12);
});

// --- what was typed before htmx was there counts, and no empty answer takes it away ---
document.addEventListener("htmx:load", () => {
  for (const field of document.querySelectorAll("input, textarea"))
    if (field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
}, { once: true });
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const field = "textarea:not([hx-preserve] *)";
  const [typed, fresh] = [detail.target, detail.fragment].map((part) => part.querySelector(field));
  if (typed?.value && fresh?.value === "") detail.shouldSwap = false;
});
