// A link that is shown is there to be given away: by the phone's own share sheet, or as a copy.
function offerWhatThePhoneCan() {
  for (const share of document.querySelectorAll("[data-share]")) share.hidden = !navigator.share;
  for (const copy of document.querySelectorAll("[data-copy]")) copy.hidden = !navigator.clipboard;
}

const fieldOf = (name) => document.getElementById(name);

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share], [data-copy]");
  if (!button) return;
  const { share, title, copy } = button.dataset;
  if (share) {
    await navigator.share({ title, url: fieldOf(share).value }).catch(() => null); // put away again
  } else {
    await navigator.clipboard.writeText(fieldOf(copy).value);
    button.textContent = "Copied";
  }
});
document.addEventListener("focusin", ({ target }) => {
  if (target.matches("input[readonly], textarea[readonly]")) target.select();
});
document.addEventListener("htmx:afterSettle", offerWhatThePhoneCan);
offerWhatThePhoneCan();
