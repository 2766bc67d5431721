// A race's page opens the boards as soon as the race is over.
(() => {
  const byId = (id) => document.getElementById(id);
  const ahead = Number(byId("now").dataset.now) - Date.now();
  const clock = document.querySelector(".race .clock");
  if (!clock) return;
  const rest = Number(clock.dataset.deadline) - Date.now() - ahead;
  // A longer wait than this is no longer one sitting; and a timer cannot count that far.
  if (rest < 86_400_000) setTimeout(() => location.reload(), rest + 1_000);
})();
