// The end of a game, on the screens that saw it end: the winner's bar runs up, the banner unrolls,
// the set's race is run, and the phone buzzes. Nothing of it where less motion is wanted.
const UNROLLED = "polygon(0 0, 100% 0, calc(100% - 28px) 50%, 100% 100%, 0 100%)"; // as in table.css
const ROLLED = "polygon(0 0, 0 0, 0 50%, 0 100%, 0 100%)";
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const findBanner = () => document.querySelector(".banner");
const bars = () => [...document.querySelectorAll("#players .player progress")].map((bar) => [seatOf(bar), bar.position]);
const seatOf = (part) => /\bseat-\d/.exec(part.closest("[class*=seat-]")?.className)?.[0];
let wasOver = Boolean(findBanner());
let before = Object.fromEntries(bars());

document.addEventListener("htmx:afterSettle", () => {
  const banner = findBanner();
  if (banner && !wasOver && !isStill.matches) celebrate(banner);
  wasOver = Boolean(banner);
  if (!banner) before = Object.fromEntries(bars());
});

function celebrate(banner) {
  banner.animate({ clipPath: [ROLLED, UNROLLED] }, { duration: 500, easing: "ease-out" });
  const bar = banner.querySelector("progress");
  if (bar) {
    const missing = 100 * (1 - (before[seatOf(banner)] ?? 0));
    const clipPath = [`inset(0 ${missing}% 0 0)`, "inset(0)"];
    bar.animate({ clipPath }, { duration: 900, delay: 300, easing: "ease-in-out", fill: "backwards" });
  }
  const race = document.querySelector("figure .chart");
  race?.animate({ clipPath: ["inset(0 100% 0 0)", "inset(0 -100% 0 0)"] }, { duration: 2000, delay: 500, fill: "backwards" });
  const buzz = banner.dataset.buzz?.split(" ").map(Number);
  if (buzz && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(buzz);
}
