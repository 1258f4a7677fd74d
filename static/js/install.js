// The service worker begins, and lets a newer one take over when no game is played on this page.
// What this page is made of is kept at once: the worker was not there yet when it came.
const worker = navigator.serviceWorker; // absent on plain http

const registered = await worker?.register("/sw.js").catch(() => null); // no connection

if (registered) {
  const takeOver = () =>
    document.querySelector("[data-awake]") || registered.waiting?.postMessage("take over");
  registered.addEventListener("updatefound", () =>
    registered.installing?.addEventListener("statechange", takeOver),
  );
  takeOver();
  document.addEventListener("htmx:afterSettle", takeOver);
  await worker.ready;
  const files = performance.getEntriesByType("resource").map((entry) => entry.name);
  const own = files.filter((name) => name.startsWith(`${location.origin}/static/`));
  const pages = ["/offline/", document.querySelector("main[data-outbox]") ? location.pathname : []];
  const kept = await caches.open("tables-1");
  await kept.addAll([...new Set([...own, ...pages.flat()])]);
}
