// A link that is shown is there to be given away: by the phone's own share sheet, or as a copy. So is a picture.
const pictureOf = (parts, title) => new File(parts, `${title}.png`, { type: "image/png" });
const sharesFiles = () => !!navigator.canShare?.({ files: [pictureOf([], "picture")] });

function offerWhatThePhoneCan() {
  for (const share of document.querySelectorAll("[data-share-file]")) share.hidden = !sharesFiles();
  for (const share of document.querySelectorAll("[data-share]")) share.hidden = !navigator.share;
  for (const copy of document.querySelectorAll("[data-copy]")) copy.hidden = !navigator.clipboard;
}

const fieldOf = (name) => document.getElementById(name);

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share], [data-share-file], [data-copy]");
  if (!button) return;
  const { share, shareFile, title, copy } = button.dataset;
  if (shareFile) {
    await sharePicture(shareFile, title).catch(() => null); // put away again, or no connection
  } else if (share) {
    await navigator.share({ title, url: fieldOf(share).value }).catch(() => null); // put away again
  } else {
    await navigator.clipboard.writeText(fieldOf(copy).value);
    for (const other of document.querySelectorAll("[data-copy]"))
      other.textContent = other === button ? "Copied" : "Copy";
  }
});

async function sharePicture(address, title) {
  const answer = await fetch(address);
  if (answer.ok) await navigator.share({ title, files: [pictureOf([await answer.blob()], title)] });
}

document.addEventListener("focusin", ({ target }) => {
  if (target.matches("input[readonly], textarea[readonly]")) target.select();
});
document.addEventListener("htmx:afterSettle", offerWhatThePhoneCan);
offerWhatThePhoneCan();
