// Where there is a keyboard: keys that do what the pad's do. Where there is room as well, the log
// and the standings beside the pad, which follow it.
const desk = document.getElementById("desk");
const isWide = matchMedia("(min-width: 70em)");
const SOON = 200; // milliseconds
const KEYBOARD = "/keyboard/";
let due;

async function follow() {
  if (!isWide.matches) return;
  const answer = await fetch(desk.dataset.from).catch(() => null); // no connection: what is there stays
  if (!answer?.ok) return;
  const drawn = document.createRange().createContextualFragment(await answer.text());
  if (desk.childElementCount) desk.lastElementChild.replaceWith(drawn.lastElementChild);
  else desk.append(drawn);
}

function followSoon() {
  clearTimeout(due);
  due = setTimeout(follow, SOON);
}

document.addEventListener("htmx:afterSettle", followSoon);
isWide.addEventListener("change", follow);
follow();

// --- keys ---
const WRITES = "input:not([type=radio], [type=checkbox]), select, textarea";
const BUTTONS = { u: "#undo", t: "#turn", 0: "#n-10" };
const isOff = () => document.cookie.split("; ").includes("shortcuts=off");

function press(button) {
  if (button?.checkVisibility() && !button.disabled) button.click();
}

function hitTyped() {
  const typed = document.getElementById("typed");
  if (typed?.value) press(document.getElementById("n-go"));
  else typed?.focus();
}

document.addEventListener("keydown", (event) => {
  const { key, target, repeat, ctrlKey, altKey, metaKey } = event;
  if (repeat || ctrlKey || altKey || metaKey || isOff()) return;
  if (target.closest(WRITES) || document.querySelector("dialog[open]")) return;
  if (key === "Enter" && !target.closest("a, button, summary")) {
    event.preventDefault();
    hitTyped();
  } else if (key === "?") {
    const back = encodeURIComponent(location.pathname + location.search); // with what was collected
    location.assign(`${KEYBOARD}?back=${back}`);
  } else if (/^[0-9ut]$/i.test(key)) press(document.querySelector(BUTTONS[key.toLowerCase()] ?? `#n-${key}`));
});
