// How long the game and the set have run, and the timer of a break between games: it belongs to
// that break, is stored on the phone that started it, and rings there.
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const BUZZ = [300, 150, 300, 150, 300];
const TONES = [0, 0.35, 0.7]; // when each begins, in seconds
const TONE = 0.3; // seconds
const PITCH = 880; // hertz
const TIMERS = "sideboarding ";
const SILENT = "silent";

const twoDigits = (number) => String(number).padStart(2, "0");

function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const head = hours ? `${hours}:${twoDigits(minutes % 60)}` : minutes;
  return `${head}:${twoDigits(seconds % 60)}`;
}

function hoursAndMinutes(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}`;
}

function tick() {
  for (const time of document.querySelectorAll("time[data-since]")) {
    const seconds = Math.max(0, Math.floor((Date.now() - new Date(time.dataset.since)) / SECOND));
    time.textContent = "hours" in time.dataset ? hoursAndMinutes(seconds) : clock(seconds);
  }
  const notes = document.querySelector("[data-notes]");
  if (notes && !pressed) showNotes(notes);
  const timer = document.querySelector("[data-timer]");
  if (timer) showTimer(timer);
}

// --- notes on the set's time: the latest that is due, until somebody puts it away ---
const PUT_AWAY = "put away ";

function showNotes(notes) {
  const minutes = (Date.now() - new Date(notes.dataset.from)) / MINUTE;
  const due = [...notes.children].filter((note) => note.dataset.minute <= minutes).pop();
  const isPutAway = localStorage.getItem(PUT_AWAY + notes.dataset.notes) === due?.dataset.minute;
  for (const note of notes.children) note.hidden = note !== due || isPutAway;
  for (const button of notes.querySelectorAll("button")) button.hidden = false;
}

document.addEventListener("click", ({ target }) => {
  const note = target.closest("[data-put-away]")?.parentElement;
  if (!note) return;
  localStorage.setItem(PUT_AWAY + note.parentElement.dataset.notes, note.dataset.minute);
  note.hidden = true;
});

// --- the timer of a break: which game comes next, and until when; 0 once it has rung ---
const keyOf = (timer) => TIMERS + timer.dataset.timer;

function untilOf(timer) {
  const [game, until] = (localStorage.getItem(keyOf(timer)) ?? "").split(" ");
  return game === timer.dataset.game ? Number(until) : null;
}

const setUntil = (timer, until) => localStorage.setItem(keyOf(timer), `${timer.dataset.game} ${until}`);

function showTimer(timer) {
  const until = untilOf(timer);
  const left = Math.ceil((until - Date.now()) / SECOND);
  const isRunning = until > 0 && left > 0;
  timer.hidden = false;
  timer.toggleAttribute("data-awake", isRunning);
  timer.classList.toggle("up", until !== null && !isRunning);
  timer.querySelector("output").textContent = until === null ? "" : isRunning ? clock(left) : "Time is up";
  timer.querySelector("[data-stop]").hidden = until === null;
  timer.querySelector("[data-sound]").checked = !localStorage.getItem(SILENT);
  if (until > 0 && !isRunning) ring(timer);
}

function start(timer, minutes) {
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(TIMERS)))
    if (Number(localStorage.getItem(key).split(" ")[1]) < Date.now()) localStorage.removeItem(key);
  setUntil(timer, Date.now() + minutes * MINUTE);
  say(`${minutes} minutes to sideboard`);
}

function stop(timer) {
  localStorage.removeItem(keyOf(timer));
  say("The timer is stopped");
  timer.querySelector("[data-minutes]").focus(); // the button that had it goes away
}

function ring(timer) {
  setUntil(timer, 0);
  say("Time is up. The next game can start.");
  navigator.vibrate?.(BUZZ);
  if (audio && !localStorage.getItem(SILENT)) TONES.forEach(playTone);
}

const say = (text) => (document.getElementById("said").textContent = text);

// --- the sound: browsers allow it only after a tap on the page ---
let audio = null;

function allowSound() {
  if (navigator.audioSession) navigator.audioSession.type = "ambient"; // silent where the phone is
  audio ??= new AudioContext();
  audio.resume();
}

function setSound(isOn) {
  if (isOn) localStorage.removeItem(SILENT);
  else localStorage.setItem(SILENT, 1);
}

function playTone(after) {
  const begin = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = PITCH;
  volume.gain.setValueAtTime(0.4, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + TONE);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + TONE);
}

document.addEventListener("click", ({ target }) => {
  const timer = document.querySelector("[data-timer]");
  if (!timer) return;
  const minutes = target.closest("[data-minutes]")?.dataset.minutes;
  if (minutes) start(timer, minutes);
  if (target.closest("[data-stop]")) stop(timer);
  if (target.matches("[data-sound]")) setSound(target.checked);
  if (untilOf(timer)) allowSound(); // also after a reload, which has lost it
  showTimer(timer);
  stayAwake();
});

setInterval(tick, SECOND);
document.addEventListener("htmx:afterSettle", tick);
tick();
