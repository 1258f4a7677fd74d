// The service worker begins.
// What this page is made of is kept at once: the worker was not there yet when it came.
const KEPT = "tables-1"; // as in sw.js
const BOARD = "main.score[data-outbox]"; // the pad, and what it leads to
const worker = navigator.serviceWorker; // absent on plain http

const registered = await worker?.register("/sw.js").catch(() => null); // no connection

if (registered) {
  await worker.ready;
  await keepAll().catch(() => null); // no connection: what was kept stays
}

// The board as it is seen now: without a connection it comes back as it was left.
let later;
document.addEventListener("htmx:afterSettle", () => {
  clearTimeout(later);
  later = setTimeout(keepPage, 300);
});

async function keepPage() {
  const kept = await globalThis.caches?.open(KEPT);
  const isWhole = document.querySelector(BOARD) && !document.querySelector("dialog[open]");
  const before = isWhole && (await kept?.match(location.pathname));
  if (!before) return;
  const html = `<!doctype html>${document.documentElement.outerHTML}`;
  await kept.put(location.pathname, new Response(html, { headers: before.headers }));
}

async function keepAll() {
  for (const late of [import("./outbox.js"), import("./waiting.js")]) await late; // kept, too
  const files = performance.getEntriesByType("resource").map((entry) => entry.name);
  const own = files.filter((name) => name.startsWith(`${location.origin}/static/`));
  // Modules that are still under way are not among the files yet.
  const parts = document.querySelectorAll("[data-module]:not([data-media])");
  const modules = [...parts].map(({ dataset }) => new URL(dataset.module, location.href).href);
  const kept = await caches.open(KEPT);
  await kept.addAll([...new Set([...own, ...modules, ...(await sheetsOf("/offline/")), "/offline/"])]);
  if (!document.querySelector(BOARD)) return;
  const page = await fetch(location.pathname);
  const isSecret = page.headers.get("Cache-Control")?.includes("no-store");
  if (page.ok && !isSecret) await kept.put(location.pathname, page);
}

// Those that this page does without are not among its files.
async function sheetsOf(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [...page.querySelectorAll("link[rel=stylesheet]")].map((sheet) => sheet.href);
}
