// The service worker: the pages that keep a score open without a connection, as they were last
// seen. Files whose names change with their content come from the phone; nothing else is kept. A
// newer worker waits until every page is closed: a page that is opened while one is replaced may
// stay blank in Chromium.
const KEPT = "tables-1";
const PATIENCE = 5_000; // milliseconds until a page that was kept is better than none
const KEPT_MAX = 100; // files and pages
const TABLE = /^\/s\/[a-z0-9]+\/score\//; // and what lies below it
const PAGE = /^\/s\/[a-z0-9]+\/score\/(tablet\/|\d\/more\/)?$/; // of those, what is kept
const PAD = /^\/s\/[a-z0-9]+\/score\/$/;
const SIGN_OUT = /^\/account\/(sign-out|delete)\/$/;
const isTable = (address) => PAGE.test(address.pathname);

self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  for (const name of await caches.keys())
    if (name !== KEPT) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== location.origin) return;
  if (address.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode !== "navigate") return;
  else if (request.method === "GET") event.respondWith(page(request, address));
  else event.respondWith(post(request, address));
});

async function post(request, address) {
  try {
    const answer = await fetch(request);
    if (SIGN_OUT.test(address.pathname)) await forgetPages(""); // taps that wait are kept elsewhere
    return answer;
  } catch {
    return offline(address);
  }
}

async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(request, answer);
  return answer;
}

async function page(request, address) {
  const kept = isTable(address) && (await caches.match(address.pathname));
  const late = new Promise((_, reject) => kept && setTimeout(reject, PATIENCE));
  try {
    const answer = await Promise.race([fetch(request), late]);
    if (kept && answer.status >= 500) return kept;
    if (isTable(address) && answer.ok && !answer.redirected) await keep(address.pathname, answer);
    if (answer.status === 403 || answer.status === 404) await forget(address);
    return answer;
  } catch {
    return kept || offline(address);
  }
}

// The page for what needs a connection; its button leads back to the pad, to that of this table if
// it is there, or else to the one that was open last.
async function offline({ pathname }) {
  const answer = await caches.match("/offline/");
  const pad = answer && (await padFor(pathname));
  if (!pad) return answer ?? Response.error();
  const html = await answer.text();
  const found = html.replace(/(data-pad href=")[^"]*(".*?) hidden/, `$1${pad}$2`);
  return new Response(found, { headers: answer.headers });
}

async function padFor(pathname) {
  const kept = await (await caches.open(KEPT)).keys();
  const pads = kept.map(({ url }) => new URL(url).pathname).filter((path) => PAD.test(path));
  return pads.find((pad) => pathname.startsWith(pad)) ?? pads.at(-1);
}

async function keep(key, answer) {
  if (answer.headers.get("Cache-Control")?.includes("no-store")) return;
  const kept = await caches.open(KEPT);
  await kept.put(key, answer.clone());
  const [oldest, ...rest] = await kept.keys();
  if (rest.length >= KEPT_MAX) await kept.delete(oldest);
}

// A table that this phone may not score any more takes all of its pages along.
async function forget(address) {
  const below = TABLE.exec(address.pathname)?.[0];
  if (below) await forgetPages(below);
}

async function forgetPages(below) {
  const kept = await caches.open(KEPT);
  for (const { url } of await kept.keys()) {
    const { pathname } = new URL(url);
    if (TABLE.test(pathname) && pathname.startsWith(below)) await kept.delete(url);
  }
}
