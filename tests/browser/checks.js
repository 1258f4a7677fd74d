// What every page is held to, asked of the page itself: see checks.py.
(() => {

  const box = (one) => one.getBoundingClientRect();
  const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
  const overlapping = (all, boxOf, most) => all.flatMap((one, at) => all.slice(at + 1)
    .filter((other) => {
      const [a, b] = [boxOf(one), boxOf(other)];
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && high > most;
    }).map((other) => [one, other]));

  // Names each target that is too small for a finger, or covered by something else. A box stands for
  // the label around it; a link in a sentence and what only readers hear are exempt. What is larger
  // than it looks, by an overlay of its own, is felt for.
  const targets = (finger) => {
    const found = [];
    const isInSentence = (one) =>
      getComputedStyle(one).display === "inline" &&
      one.parentElement.textContent.trim() !== one.textContent.trim();
    const isBox = (one) => one.matches("[type=radio], [type=checkbox]");
    const all = "a[href], button, input, select, summary, textarea";
    const reachable = document.querySelector("dialog:modal") ?? document;
    for (const one of reachable.querySelectorAll(all)) {
      if (one.type === "hidden" || one.closest(".vh") || !one.checkVisibility()) continue;
      if (one.tagName === "A" && isInSentence(one) && !one.matches(".plain")) continue;
      const target = (isBox(one) && one.closest("label")) || one;
      const hits = (x, y) => {
        const { left, top, width, height } = target.getBoundingClientRect();
        const met = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y);
        return met && (target.contains(met) || [...(one.labels ?? [])].some((l) => l.contains(met)));
      };
      const isMet = ["center", "start", "end"].some((block) => {
        target.scrollIntoView({ block, behavior: "instant" });
        return hits(0, 0);
      });
      const { width, height } = target.getBoundingClientRect();
      const said = (one.labels?.[0] ?? one).innerText.trim().replace(/\s+/g, " ");
      const name = `${one.tagName.toLowerCase()} "${said || one.name}"`;
      const reach = finger / 2 - 1;
      const isWide = width > finger - 0.5 || (hits(reach, 0) && hits(-reach, 0));
      const isHigh = height > finger - 0.5 || (hits(0, reach) && hits(0, -reach));
      if (!isWide || !isHigh) found.push(`${name} is ${width.toFixed(1)} x ${height.toFixed(1)}`);
      if (!isMet) found.push(`${name} is covered wherever one scrolls`);
    }
    scrollTo(0, 0);
    return found;
  };

  // How many pixels the page needs, and what makes it so wide.
  const width = () => Math.max(document.documentElement.scrollWidth, innerWidth);

  const widest = () => [...document.body.querySelectorAll("*")]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((one) => `${one.tagName.toLowerCase()}.${one.className.baseVal ?? one.className}`)
    .slice(0, 3);

  const burst = () => [...document.querySelectorAll(".card, .sheet, .console, .top nav, .dial .face>span")]
    .filter((one) => !one.matches(".vh"))
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `"${one.innerText.trim().split("\n")[0]}" needs ${one.scrollWidth} px in ` +
      `${one.clientWidth}`);

  // Names badges that are drawn wider or higher than their words, numbers that stand in two lines, and
  // names and signs of a player's row without room, or printed over each other.
  const squeezed = () => {
    const said = (one) => (one.innerText ?? "a sign").trim().replace(/\s+/g, " ");
    const words = (one) => {
      const all = document.createRange();
      all.selectNodeContents(one);
      return all.getBoundingClientRect();
    };
    const bars = shown(".flag").filter((one) => box(one).width > words(one).width + 24);
    const broken = shown(".peek li > b, .log .no").filter((one) => words(one).height > 30);
    const inRow = ".player :is(h2 > *, .signs li, .life b, .life > span, .vp b, .delta)";
    const parts = shown(inRow).filter((one) => !one.matches(".vh, :has(.vh:only-child)"));
    const cut = (one) => {
      const { left, right, top, bottom } = box(one);
      const room = box(one.closest(".signs") ?? one);
      return { left, right: Math.min(right, room.right), top, bottom };
    };
    const over = overlapping(parts, cut, 3);
    const lost = shown(".player h2 > span:not(.vh)").filter((one) => box(one).width < 12);
    return [
      ...lost.map((one) => `no room for the name "${said(one)}"`),
      ...bars.map((one) => `badge "${said(one)}" is a bar`),
      ...broken.map((one) => `number ${said(one)} stands in two lines`),
      ...over.map(([one, other]) => `"${said(one)}" is printed over "${said(other)}"`),
    ];
  };

  // Names keys that lie over each other, words without room, words that are broken though they would
  // fit in a line, and controls of the board that are covered once they are scrolled into view. Names
  // of players may be shortened: their shields and what readers hear tell them apart.
  const crowded = () => {
    const text = (one) => one.innerText.trim().replace(/\s+/g, " ");
    const keys = shown(".console :is(.face, .n, .btn, .typed input, .toxic input):not(.vh)");
    const over = overlapping(keys, box, 1);
    const words = shown(".console :is(.face, .n, .btn), .face>span, .flags, .signs, .signs span, " +
        ".player :is(.life, .vp, b), .overview .btn")
      .filter((one) => !one.matches(".vh, .key[class*=seat-] *, :has(> bdi)"));
    const cut = words.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth);
    const isOutside = (one) => box(one).right > innerWidth + 1 || box(one).left < -1;
    const outside = shown("main :is(a, button, b, span, li, svg)")
      .filter((one) => !one.closest(".vh, h2, bdi, small, .face, .setbar .grow") && isOutside(one));
    const isShortened = (name) => name.scrollHeight > name.clientHeight + 3;
    const broken = [];
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      if (!node.parentElement.checkVisibility() || node.parentElement.closest(".vh")) continue;
      if (node.parentElement.matches("h2 > span") && isShortened(node.parentElement)) continue;
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
        const rows = new Set(lines.map(({ top }) => Math.round(top)));
        const length = lines.reduce((sum, { width }) => sum + width, 0);
        const block = "li, h2 > span, h2, legend, .peek, .btn, .face, main";
        const room = box(node.parentElement.closest(block)).width;
        if (rows.size > 1 && length < room * 0.9) broken.push(word);
      }
    }
    const behind = shown(".overview :is(a, button, summary)").filter((one) => {
      one.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { left, top, width, height } = box(one);
      return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    return [
      ...over.map(([one, other]) => `key "${text(one)}" lies over "${text(other)}"`),
      ...cut.map((one) => `"${text(one)}" is cut`),
      ...outside.map((one) => `"${text(one)}" reaches out of the screen`),
      ...broken.map((word) => `"${word}" is broken`),
      ...behind.map((one) => `"${text(one)}" is behind something`),
    ];
  };

  // Names the rules of site.css that a page which does without it would need.
  const missing = async () => {
    const has = [...document.styleSheets].map((sheet) => sheet.href.split("/").at(-1));
    if (has.includes("site.css")) return [];
    const sheet = new CSSStyleSheet();
    await sheet.replace(await (await fetch("/static/site.css")).text());
    const onScreen = (rules) => [...rules].filter(({ media }) => media?.mediaText !== "print");
    const selectors = (rules) => onScreen(rules).flatMap((rule) =>
      rule.selectorText ? [rule.selectorText] : selectors(rule.cssRules));
    return selectors(sheet.cssRules)
      .filter((selector) => document.querySelector(selector.replaceAll(/::[a-z-]+/g, "")))
      .map((selector) => `"${selector}" is in site.css, which is not here`);
  };

  // What a page is built of, as far as it is seen: each element with its parent, by tag, classes, role
  // and type.
  const skeleton = () => {
    const bone = (one) => [one.tagName, ...one.classList, one.getAttribute("role"), one.type].join(".");
    const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
    return [...new Set(all.map((one) => `${bone(one.parentElement)} > ${bone(one)}`))];
  };

  const ask = async ({ type, values }) => {
    const found = await axe.run(document, {
      runOnly: { type, values },
      resultTypes: ["violations"],
    });
    return found.violations.map(({ id, nodes }) =>
      `axe ${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.html}`).join(" | ")}`);
  };

  // All that the browser has stored, and the page itself.
  const stored = async () => {
    const texts = [document.documentElement.outerHTML, document.cookie];
    texts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }));
    const answer = (asked) => new Promise((done) => (asked.onsuccess = () => done(asked.result)));
    for (const { name, version } of await indexedDB.databases()) {
      const opened = await answer(indexedDB.open(name, version));
      for (const store of opened.objectStoreNames)
        texts.push(JSON.stringify(await answer(opened.transaction(store).objectStore(store).getAll())));
      opened.close();
    }
    for (const name of await caches.keys()) {
      const kept = await caches.open(name);
      for (const request of await kept.keys()) texts.push(await (await kept.match(request)).text());
    }
    return texts.join();
  };

  const look = (finger) => ({ width: width(), wrong: [...burst(), ...squeezed(), ...targets(finger)] });
  return { ask, crowded, look, missing, skeleton, stored, widest, width };
})()
