// A film that its reader may stop and step through; without this script, it plays by itself.
const byId = (id) => document.getElementById(id);

const film = byId("embed-film");
const play = byId("embed-play");
const [first, last, step] = [film.dataset.first, film.dataset.last, film.dataset.step].map(Number);
const parts = film.firstElementChild.getAnimations({ subtree: true });

// The time of a film that begins in its middle is less than what has been shown of it.
function shownFor() {
  const { delay, duration } = parts[0].effect.getTiming();
  return (parts[0].currentTime - delay) % duration;
}

function at() {
  return Math.min(first + Math.floor(shownFor() / step), last);
}

function tell() {
  byId("embed-at").value = `${at()} / ${last}`;
}

function setPlaying(isOn) {
  for (const part of parts) {
    if (isOn) part.play();
    else part.pause();
  }
  play.setAttribute("aria-pressed", String(isOn));
}

function show(number) {
  setPlaying(false);
  const wanted = Math.max(first, Math.min(number, last));
  const { delay, duration } = parts[0].effect.getTiming();
  const time = delay + (wanted - first + 0.5) * step;
  // Before 0, an animation has no effect, however long it is said to have run.
  for (const part of parts) part.currentTime = time < 0 ? time + duration : time;
  tell();
}

if (parts.length) {
  byId("embed-controls").hidden = false;
  play.setAttribute("aria-pressed", String(parts[0].playState === "running"));
  play.addEventListener("click", () => setPlaying(play.getAttribute("aria-pressed") !== "true"));
  for (const button of document.querySelectorAll("[data-by]"))
    button.addEventListener("click", () => show(at() + Number(button.dataset.by)));
  setInterval(tell, step / 4);
  tell();
}
