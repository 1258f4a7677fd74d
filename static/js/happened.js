// What a tap brought about stands above the board: a board that was scrolled down comes back to it.
function comeToSight() {
  const board = document.querySelector(".scrolls");
  if (board && document.querySelector("#happened > :not(.due)")) board.scrollTop = 0;
}

document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.id === "happened") comeToSight();
});
comeToSight();
