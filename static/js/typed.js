// What players have typed on their own phones stays when a game begins or ends, which changes the page.
// At this moment both are there; htmx then moves the focus to the field of the same id, if it shows.
document.addEventListener("htmx:beforeCleanupElement", ({ target: was }) => {
  if (was.id !== "main") return;
  const fresh = was.previousElementSibling;
  keepOpen(fresh, was);
  for (const typed of was.querySelectorAll("form:not([data-tap]) [id]")) {
    const same = fresh.querySelector(`#${typed.id}`);
    if (same && typed.value !== typed.defaultValue) same.value = typed.value;
  }
});
