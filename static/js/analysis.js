// The analysis board: marks the computer's best moves on the board, the best one most.
(() => {
  function mark() {
    document.querySelectorAll("#evaluation [data-thought]").forEach((thought, place) => {
      const cell = document.getElementById(`sq-${thought.dataset.thought}`);
      cell?.classList.toggle("hinted", place === 0);
    });
  }
  document.addEventListener("htmx:after:swap", mark);
})();
