// The names of cards lead to their pages. With this module a tap on a phone shows the page in a sheet,
// and a mouse that rests on a name shows what is printed on the card beside it.
const NAMES = "a.card-name";
const REST = 300; // milliseconds until a preview shows
const LINGER = 250; // and until it goes, for the way from the name to the preview
const MARGIN = 8; // pixels from the edges
const STORED = 40; // pages
const pages = new Map();
let sheet;
let preview;
let shownFor; // the name that the preview belongs to
let timer;

function ask(address) {
  const asked = pages.get(address) ?? fetch(address).then(async (answer) => {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { isCard: answer.ok, main: page.getElementById("main") };
  });
  if (pages.size >= STORED) pages.clear();
  pages.set(address, asked);
  asked.catch(() => pages.delete(address));
  return asked;
}

const nameAt = (target) => target.closest?.(NAMES);

// --- the sheet ---
function makeSheet() {
  sheet = document.createElement("dialog");
  sheet.id = "card-sheet";
  document.body.append(sheet);
  sheet.addEventListener("click", ({ target }) => {
    if (target === sheet || target.closest(".close")) sheet.close();
  });
  sheet.addEventListener("close", () => sheet.replaceChildren());
}

function bar(address) {
  const line = Object.assign(document.createElement("p"), { className: "line apart" });
  const link = Object.assign(document.createElement("a"), { href: address, textContent: "Open its page" });
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close" });
  link.className = "btn";
  close.className = "btn close";
  line.append(link, close);
  return line;
}

async function open(address) {
  if (!sheet) makeSheet();
  hide();
  pages.delete(address); // counts and decks change
  sheet.dataset.address = address;
  sheet.setAttribute("aria-label", "Loading the card");
  sheet.replaceChildren(bar(address));
  if (!sheet.open) sheet.showModal();
  try {
    const { main } = await ask(address);
    if (!sheet.open || sheet.dataset.address !== address) return;
    const content = document.createElement("div");
    content.className = "stack gap";
    content.append(...[...main.cloneNode(true).children].map(withOwnIds));
    sheet.replaceChildren(bar(address), content);
    const title = sheet.querySelector("h1");
    sheet.setAttribute("aria-label", title.textContent);
    title.tabIndex = -1;
    title.focus();
    sheet.scrollTop = 0;
    htmx.process(content);
  } catch {
    if (sheet.open && sheet.dataset.address === address) location.assign(address);
  }
}

// What the page below has under the same name stays apart, but for the form that adds cards.
function withOwnIds(part) {
  for (const node of [part, ...part.querySelectorAll("[id], [aria-labelledby]")]) {
    if (node.id && node.id !== "adding") node.id = `sheet-${node.id}`;
    const label = node.getAttribute("aria-labelledby");
    if (label) node.setAttribute("aria-labelledby", `sheet-${label}`);
  }
  return part;
}

document.addEventListener("click", (event) => {
  const name = nameAt(event.target);
  if (!name || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const isPhone = matchMedia("(hover: none), (max-width: 40rem)").matches;
  if (!isPhone && !name.closest("#card-sheet")) return;
  event.preventDefault();
  open(name.href);
});

// --- the preview ---
function makePreview() {
  preview = document.createElement("div");
  preview.id = "card-preview";
  preview.popover = "manual";
  preview.setAttribute("aria-hidden", "true"); // the page that the name leads to says it all
  document.body.append(preview);
  preview.addEventListener("pointerenter", () => clearTimeout(timer));
  preview.addEventListener("pointerleave", () => soon(hide, LINGER));
}

function soon(act, wait) {
  clearTimeout(timer);
  timer = setTimeout(act, wait);
}

async function show(name) {
  shownFor = name;
  const { isCard, main } = await ask(name.href).catch(() => ({}));
  if (!isCard || shownFor !== name || !name.isConnected) return;
  if (!preview) makePreview();
  const faces = [...main.querySelectorAll(".face-of-card")].map((face) => face.cloneNode(true));
  for (const face of faces) {
    face.removeAttribute("aria-labelledby");
    for (const node of face.querySelectorAll("[id]")) node.removeAttribute("id");
  }
  preview.replaceChildren(...faces);
  preview.showPopover();
  place(name);
}

function place(name) {
  const { left, top, bottom } = name.getBoundingClientRect();
  const { width, height } = preview.getBoundingClientRect();
  const isBelow = bottom + height + MARGIN <= innerHeight || bottom < innerHeight / 2;
  preview.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  preview.style.top = `${isBelow ? bottom + 4 : Math.max(MARGIN, top - height - 4)}px`;
}

function hide() {
  clearTimeout(timer);
  shownFor = undefined;
  if (preview?.matches(":popover-open")) preview.hidePopover();
}

if ("popover" in HTMLElement.prototype) {
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    const name = pointerType === "mouse" && nameAt(target);
    if (!name) return;
    if (name === shownFor) clearTimeout(timer);
    else soon(() => show(name), REST);
  });
  document.addEventListener("pointerout", ({ target, pointerType }) => {
    if (pointerType === "mouse" && nameAt(target)) soon(hide, LINGER);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (nameAt(target) && target.matches(":focus-visible")) soon(() => show(target), REST);
  });
  document.addEventListener("focusout", ({ target }) => nameAt(target) && hide());
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("click", hide);
}
