// The board follows the table: a stream says that something changed, then what is new is asked
// for. While the page is hidden the stream is closed; on return, and now and then, it asks too.
const FALLBACK = 15_000; // milliseconds; for proxies that hold streams back
const PATIENCE = 10_000;
const SOON = 200;
const LEAVES_WITHIN = 10_000; // milliseconds that the answer to a form may take
const followed = () => document.getElementById("live").dataset;
const signals = followed().stream;
let { fresh, etag = "" } = followed();
let stream = null;
let asking = false;
let isOvertaken = false; // by the answer to a tap: what was asked for before may not know it
let askAgain = false;
let due;
let sentAt = -LEAVES_WITHIN; // a form whose answer is the next page
const isLeaving = () => performance.now() - sentAt < LEAVES_WITHIN;

function address() {
  const asked = new URL(fresh, location.href); // a refusal stands at another one
  if (asked.pathname === location.pathname) asked.search ||= location.search;
  const pad = document.getElementById("pad");
  if (pad) asked.searchParams.set("pad", padShown(pad));
  if (pad && isTouched(pad)) asked.searchParams.set("touched", 1);
  return asked;
}

async function follow() {
  clearTimeout(due);
  if (asking || pressed || isSending || isLeaving()) {
    askAgain = true;
    return;
  }
  asking = true;
  isOvertaken = false;
  const asked = address();
  try {
    const answer = await fetch(asked, {
      headers: { "HX-Request": "true", "If-None-Match": etag },
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const isClosed = answer.status === 403 || answer.status === 404; // the link was changed, say
    if (isClosed && isLeaving()) askAgain = true;
    else if (isClosed) reloadOnce() || replaceMain(await answer.text());
    else if (answer.redirected) location.assign(answer.url); // the night went on at another table
    else if (answer.ok) putInPlace(await answer.text(), answer.headers, asked);
    document.dispatchEvent(new CustomEvent("reached", { detail: answer.status < 500 }));
  } catch {
    document.dispatchEvent(new CustomEvent("reached", { detail: false }));
  }
  asking = false;
  if (askAgain && !pressed && !isLeaving()) {
    askAgain = false;
    follow();
  }
}

function putInPlace(html, headers, { searchParams }) {
  const pad = document.getElementById("pad");
  const isBegunSince = pad && isTouched(pad) && !searchParams.has("touched"); // a new pad would take it
  if (pressed || isSending || isOvertaken || isBegunSince) {
    askAgain = true;
    return;
  }
  boards += 1;
  etag = headers.get("ETag") ?? ""; // none where the page keeps what is not new any more
  if (headers.has("HX-Reselect")) becomeAnother(html);
  else replaceParts(html);
}

// At the end of a set the board gives place to the standings, and comes back by a correction.
function becomeAnother(html) {
  replaceMain(html);
  ({ fresh } = followed());
}

// What is the same stays: nothing unfurls or is said twice, and no click is lost.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { fragment, target } = event.detail;
  keepOpen(fragment, target);
  const isSaid = target.id === "said" && fragment.textContent === target.textContent;
  const fresh = fragment.firstElementChild;
  if (isSaid || (fresh && bare(fresh).isEqualNode(bare(target)))) event.detail.shouldSwap = false;
  else releaseNames(target);
});

// Of several <details> of one name only the first stays open, also while the old board is there.
function releaseNames(old) {
  for (const one of old.querySelectorAll("details[name]")) one.removeAttribute("name");
}

// A board without what differs though it is the same: ids of taps, clocks, what the page adds.
function bare(board) {
  const copy = board.cloneNode(true);
  const own = "[name=tap_id], [name=csrfmiddlewaretoken], [hx-preserve], [data-timer], time";
  for (const one of copy.querySelectorAll(own)) one.remove();
  return copy;
}

function askNow() {
  if (!askAgain || asking) return;
  askAgain = false;
  follow();
}

function listen() {
  if (document.visibilityState === "hidden") {
    stream?.close();
    stream = null;
  } else if (!stream) {
    stream = new EventSource(signals);
    stream.onmessage = follow; // the first one comes at once
    stream.onerror = ({ target }) => {
      const isOver = target.readyState === EventSource.CLOSED; // it does not try again itself
      if (isOver && target === stream) stream = null;
    };
  }
}

document.addEventListener("answered", () => {
  isOvertaken = asking;
});
// What a form deletes must not be asked for before its own answer is there.
document.addEventListener("submit", ({ defaultPrevented, target }) => {
  if (!defaultPrevented && !target.target) sentAt = performance.now();
});
for (const occasion of ["lifted", "answered"]) document.addEventListener(occasion, askNow);
document.addEventListener("visibilitychange", () => {
  listen();
  if (document.visibilityState === "visible") follow();
});
for (const occasion of ["online", "pageshow"]) window.addEventListener(occasion, listen);
window.addEventListener("online", follow);
// The answer to a tap shows the board already: what its signal asks for is then known.
document.addEventListener("placed", ({ detail: version }) => {
  if (version) etag = etag.replace(/[0-9a-f]{16}/, version);
});
document.addEventListener("stale", () => {
  etag = "";
  clearTimeout(due);
  due = setTimeout(follow, SOON); // mostly the signal is faster
});
window.addEventListener("pagehide", () => {
  stream?.close(); // a page kept for going back must not hold a connection
  stream = null;
});
setInterval(() => {
  if (document.visibilityState === "hidden") return;
  listen();
  follow();
}, FALLBACK);
listen();
