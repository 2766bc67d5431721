// The analysis board: marks the computer's best move on the board.
document.addEventListener("htmx:after:swap", () => {
  document.querySelectorAll("#evaluation [data-thought]").forEach((thought, place) => {
    const cell = document.getElementById(`sq-${thought.dataset.thought}`);
    cell?.classList.toggle("sq-hinted", place === 0);
  });
});
