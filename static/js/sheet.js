// The pages that the pad leads to open as a sheet over it: what happens seldom, and what first shows
// what it will do. They are pages of their own, which the sheet asks for; without this module they
// open as any page does. The menu is stored on the phone, so it opens without a connection too.
const SHEET = /\/score\/\d\/(more|end|do)\/|\/answers\/$|\/formats\//;
const MENU = /\/more\/$/;
const KEPT = "tables-1"; // as in sw.js
const PATIENCE = 4_000; // milliseconds until the stored menu is better than none
const ROOM = 352; // pixels for a sheet beside the pad
const AT_REST = 1_500; // milliseconds without change until the menu is asked for
const UNSENT = "No connection. This is sent as soon as there is one, if you leave this open.";
const UNASKED =
  "No connection. Only the server can work out what this will do; it is asked once you are back online.";
const table = document.querySelector("main").dataset.outbox;
const style = new URL(document.getElementById("live").dataset.style, location.href).href;
const dialog = document.getElementById("sheet") ?? document.body.appendChild(document.createElement("dialog"));
dialog.id = "sheet";
dialog.replaceChildren(); // a stored page may have brought its own
const stored = { address: "", for: "", html: "" }; // the menu
let asks = 0; // answers that come after another question are for nobody

// --- the menu is stored, again whenever something changed that it depends on ---
const changesMenu = () => [document.getElementById("pad")?.dataset.stamp, "#players h2", "#players .signs", "#aids"]
  .flatMap((part) => (part?.startsWith("#") ? [...document.querySelectorAll(part)] : part))
  .map((part) => part?.textContent ?? part)
  .join();

async function storeMenu() {
  const link = document.querySelector('#acts a[href$="/more/"]');
  const now = changesMenu();
  if (!link || stored.for === now || document.visibilityState === "hidden") return;
  const answer = await ask(link.href);
  if (!answer.ok || answer.redirected) return;
  const copy = answer.clone();
  const html = await answer.text();
  const page = parse(html);
  await dress(page);
  const kept = await globalThis.caches?.open(KEPT);
  await kept?.addAll(sheetsOf(page)); // before the page, which shows too much without its sheet
  await kept?.put(link.pathname, copy);
  Object.assign(stored, { address: link.href, for: now, html });
}

async function findMenu(address) {
  if (stored.address === address) return stored.html;
  const kept = await globalThis.caches?.match(new URL(address).pathname);
  return kept?.text();
}

let due;

function storeSoon() {
  clearTimeout(due);
  due = setTimeout(() => storeMenu().catch(() => null), AT_REST); // no connection: the old one stays
}

const ask = (address, options = {}) =>
  fetch(address, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store", ...options });
const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// --- a page is shown in the sheet ---
async function open(address) {
  await unfold();
  const isMenu = MENU.test(address);
  if (isMenu && stored.address === address && stored.for === changesMenu()) return draw(stored.html, address);
  return answer(address, {}, isMenu && (() => findMenu(address)));
}

// Not before it has its style, which the first visit of the pad does not pay for.
async function unfold() {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([load(style), late]);
  if (dialog.open) return;
  scrollTo(0, 0); // the totals stay in sight
  place();
  if (history.state?.htmx) history.replaceState(null, ""); // going back to it would load the page
  history.pushState({ sheet: true }, "");
  dialog.showModal();
}

// Beside the pad where there is room, else beside the board, else below the board, over the pad.
function place() {
  const [rows, pad] = ["#players", ".console"].map((part) => document.querySelector(part).getBoundingClientRect());
  const edge = [pad.right, rows.right].find((right) => right <= innerWidth - ROOM);
  dialog.classList.toggle("beside", edge !== undefined);
  if (edge !== undefined) dialog.style.setProperty("--beside", `${edge}px`);
  dialog.style.setProperty("--below", `${pad.top > 0 ? Math.min(rows.bottom, pad.top) : rows.bottom}px`);
}

// Show what the server answers; while there is no answer, say that it is waited for.
async function answer(address, options, findStored) {
  const number = ++asks;
  const isAsked = () => number === asks && dialog.open;
  if (!dialog.querySelector("form")) say("Loading…");
  const late = setTimeout(() => isAsked() && say("Waiting for the server’s answer."), 400);
  try {
    const page = await ask(address, options);
    const html = await page.text();
    if (!isAsked()) return;
    if (new URL(page.url).pathname === table) return done();
    await draw(html, page.url);
  } catch {
    if (!isAsked()) return;
    const html = findStored && (await findStored());
    if (html) return draw(html, address, "No connection: this is the menu as this phone last saw it.");
    say(options.body ? UNSENT : UNASKED);
    const again = () => isAsked() && answer(address, options, findStored);
    window.addEventListener("online", again, { once: true });
    setTimeout(again, PATIENCE);
  } finally {
    clearTimeout(late);
  }
}

async function draw(html, address, note) {
  const page = parse(html);
  const main = page.querySelector("main:is([data-outbox], [data-sheet])");
  if (!main) return location.assign(address); // the link was changed, say
  await dress(page);
  dialog.dataset.address = address;
  dialog.replaceChildren(...[...main.children].filter((part) => !part.matches("header, .players")));
  for (const completed of dialog.querySelectorAll("input[hx-post]")) htmx.process(completed); // forms are sent from here
  if (note) dialog.prepend(notice(note));
  focusOn(dialog.querySelector("h1"));
}

const sheetsOf = (page) => [...page.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => href);

// The style sheets that a page has beyond those of the pad.
const worn = sheetsOf(document);
const loading = new Map();
const dress = (page) => Promise.all(sheetsOf(page).filter((href) => !worn.includes(href)).map(load));

function load(href) {
  if (!loading.has(href)) loading.set(href, new Promise((resolve) => wear(href, resolve)));
  return loading.get(href);
}

function wear(href, resolve) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  link.onload = resolve;
  link.onerror = () => {
    link.remove();
    loading.delete(href); // the next that needs it asks again
    resolve();
  };
  document.head.append(link);
}

function say(text) {
  const title = Object.assign(document.createElement("h1"), { textContent: "One moment" });
  const back = Object.assign(document.createElement("a"), { href: table, textContent: "Back to the pad" });
  back.className = "btn go block";
  const sheet = document.createElement("div");
  sheet.className = "sheet";
  sheet.append(title, notice(text), back);
  dialog.replaceChildren(sheet);
  focusOn(title);
}

function notice(text) {
  const shown = Object.assign(document.createElement("p"), { textContent: text, className: "notice" });
  shown.setAttribute("role", "status");
  return shown;
}

function focusOn(title) {
  dialog.setAttribute("aria-label", title.textContent);
  dialog.scrollTop = 0;
  title.tabIndex = -1;
  title.focus();
}

function done() {
  dialog.close();
  document.dispatchEvent(new Event("stale"));
}

// --- what is tapped ---
document.addEventListener("pointerdown", ({ target }) => {
  if (SHEET.test(target.closest?.("#main a")?.pathname)) load(style);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#main a, #sheet a");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const leadsBack = dialog.open && link.pathname === table;
  if (leadsBack) dialog.close();
  else if (SHEET.test(link.pathname) && document.getElementById("pad")) open(link.href);
  else return;
  event.preventDefault();
});

// A tap is kept and sent by outbox.js, which lets nobody else hear of it; what it leaves, asks, also
// where nothing can be kept. Until it is there, the tap waits for it.
window.addEventListener("submit", ({ target: form, submitter }) => {
  const isTap = form.matches("#sheet [data-tap]") && !submitter?.matches("[data-asks]");
  const before = asks;
  if (isTap && hasOutbox) setTimeout(() => asks === before && dialog.close());
}, true);

dialog.addEventListener("submit", (event) => {
  event.preventDefault();
  const { target: form, submitter } = event;
  const entered = new URLSearchParams(new FormData(form, submitter));
  const to = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const address = new URL(to, dialog.dataset.address);
  if (form.method === "post") return answer(address, { method: "POST", body: entered });
  address.search = entered;
  return answer(address, {});
});

dialog.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
  const { left, top } = dialog.getBoundingClientRect();
  if (target === dialog && (x < left || y < top)) dialog.close(); // on the board
});

dialog.addEventListener("close", () => {
  asks += 1;
  dialog.replaceChildren();
  if (history.state?.sheet) history.back();
});
window.addEventListener("popstate", () => dialog.close());

// The server refused what was tapped here: it is entered again, with the reason above it.
document.addEventListener("refused", (event) => {
  const form = parse(event.detail).querySelector("main > form.sheet");
  if (!form || dialog.open || !document.getElementById("players")) return; // the outbox shows it
  event.preventDefault();
  unfold().then(() => draw(event.detail, new URL(form.getAttribute("action"), location.href).href));
});

for (const occasion of ["htmx:afterSettle", "visibilitychange"]) document.addEventListener(occasion, storeSoon);
storeSoon();
