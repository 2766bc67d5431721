// How long a search has lasted, and what is offered after a while.

let began = 0; // by the clock of this page, in milliseconds
let known; // the seconds that had passed then, as the page says

function count() {
  const place = document.querySelector("[data-waited]");
  if (!place) return;
  const seconds = Math.floor((Date.now() - began) / 1000);
  place.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const offer = document.querySelector("[data-after]");
  if (seconds >= Number(offer.dataset.after)) offer.hidden = false;
}

function begin() {
  const place = document.querySelector("[data-waited]");
  if (place && place.dataset.waited !== known) {
    known = place.dataset.waited;
    began = Date.now() - 1000 * Number(known);
  }
  count();
}

document.addEventListener("htmx-after-swap", begin);
begin();
setInterval(count, 1000);
