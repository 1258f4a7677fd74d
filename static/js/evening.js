// The page of an evening, or of its round. What is tapped there is answered with nothing: the page
// then asks for what is new, as it does when somebody else has changed it (see live.js).
const refusal = document.getElementById("refusal");
const askAgain = () => document.dispatchEvent(new Event("stale"));
const isFilledIn = (part) => part.querySelector("select:focus, textarea:focus, input:focus");
let isBehind = false;

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  const isHere = target.getAttribute("aria-pressed");
  if (isHere) target.setAttribute("aria-pressed", isHere === "false");
});

document.addEventListener("htmx:afterRequest", ({ target, detail: { xhr } }) => {
  if (xhr.status === 204) refusal.replaceChildren();
  if (xhr.status === 204 && target.id === "names") target.reset();
  if (xhr.status === 422) document.getElementById("refusal").scrollIntoView({ block: "center" });
  askAgain();
});

// A form that somebody fills in stays until they are done with it.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (!isFilledIn(event.detail.target)) return;
  event.detail.shouldSwap = false;
  isBehind = true;
});

document.addEventListener("focusout", () => {
  if (isBehind) askAgain();
  isBehind = false;
});

// --- the clock of a round, which rings where somebody asked for that ---
const SECOND = 1000;
const BUZZ = [400, 200, 400, 200, 400];
const RINGS = 3;
const PITCH = 880; // hertz
let audio = null;
const before = new Map(); // seconds that were left, by the time at which the round ends

const twoDigits = (number) => String(number).padStart(2, "0");

function show(time) {
  const { until } = time.dataset;
  const left = Math.ceil((new Date(until) - Date.now()) / SECOND);
  const isOver = left <= 0;
  time.toggleAttribute("data-over", isOver);
  time.textContent = isOver ? "Time is up" : `${Math.floor(left / 60)}:${twoDigits(left % 60)}`;
  if (isOver && before.get(until) > 0) ring();
  before.set(until, left);
}

function tick() {
  for (const time of document.querySelectorAll("time[data-until]")) show(time);
  for (const button of document.querySelectorAll("[data-ring]")) {
    button.hidden = false;
    button.textContent = audio ? "It rings here when time is up" : "Ring here when time is up";
    button.setAttribute("aria-pressed", audio !== null);
  }
}

function ring() {
  navigator.vibrate?.(BUZZ);
  if (!audio) return;
  for (let time = 0; time < RINGS; time += 1) playTone(audio.currentTime + time);
}

function playTone(begin) {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = PITCH;
  volume.gain.setValueAtTime(0.5, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.8);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + 0.8);
}

// Browsers allow sound only after a tap on the page.
document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-ring]")) return;
  audio ??= new AudioContext();
  audio.resume();
  tick();
});

setInterval(tick, SECOND);
document.addEventListener("htmx:afterSettle", tick);
tick();
