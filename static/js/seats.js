// Where seats get names, a tap on a person fills the next empty seat, or empties that person's seat.
// Chips show the number of the seat. Without this, ticked people take the empty seats in their order.

const form = document.querySelector("form.seating");
const chips = [...form.querySelectorAll("[name=known]")];
const seats = [...form.querySelectorAll(".seatline input")];
const same = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();
let asked = seats.find((seat) => seat.autofocus); // whose name somebody came to give
const seatOf = (chip) => seats.findIndex((seat) => same(seat.value, chip.value));

function show() {
  for (const chip of chips) {
    const seat = seatOf(chip);
    chip.checked = seat >= 0;
    if (chip.checked) chip.nextElementSibling.dataset.seat = seat + 1;
    else delete chip.nextElementSibling.dataset.seat;
  }
  const named = seats.filter((seat) => seat.value.trim()).length;
  const size = form.querySelector(`[name=seats][value="${named}"]`); // who has a name plays
  if (size && named > form.elements.seats.value) size.checked = true;
}

form.addEventListener("change", ({ target: chip }) => {
  if (!chips.includes(chip)) return;
  const seat = seats[seatOf(chip)];
  if (seat) seat.value = "";
  else {
    const free = asked ?? seats.find((seat) => !seat.value.trim());
    if (free) free.value = chip.value;
    asked = undefined;
  }
  show();
});
form.addEventListener("input", ({ target }) => seats.includes(target) && show());
addEventListener("pageshow", show);
show();
