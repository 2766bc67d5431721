// A move made ahead of one's turn: a square chosen while the opponent thinks is played as soon as it may be.
(() => {
  const byId = (id) => document.getElementById(id);
  let chosen = null; // name of the square

  const version = () => byId("version").dataset;
  const isWaiting = () => byId("game").dataset.role !== "spectator" && !version().turn && version().status === "started";

  function mark() {
    for (const cell of document.querySelectorAll("#board .premove")) cell.classList.remove("premove");
    if (chosen) byId(`sq-${chosen}`)?.classList.add("premove");
  }

  function choose(name) {
    chosen = name;
    mark();
    say(name ? `${name} will be played when it is your turn` : "Nothing will be played ahead");
  }

  function say(text) {
    const line = document.createElement("p");
    line.textContent = text;
    byId("log").append(line);
  }

  document.addEventListener("click", (event) => {
    const cell = event.target.closest?.('#board [role="gridcell"]');
    if (!cell || !isWaiting()) return;
    const name = cell.id.slice("sq-".length);
    choose(name === chosen ? null : name);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) choose(null);
  });

  document.addEventListener("htmx:after:swap", () => {
    mark();
    if (!chosen || isWaiting()) return;
    const name = chosen;
    chosen = null;
    mark();
    const button = version().turn && byId(`sq-${name}`)?.querySelector("button");
    if (button) button.form.requestSubmit(button);
    else say(`${name} cannot be played any more`);
  });
})();
