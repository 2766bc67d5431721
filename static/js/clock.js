// The clocks of a game or a race: they run by the server's time, which each update brings along, and are only ever shown here.
(() => {
  const SAID_AT = [60, 30, 10]; // seconds left of one's own time at which a screen reader is told
  const byId = (id) => document.getElementById(id);

  let ahead = 0; // milliseconds by which the server's clock is ahead of this one
  let heard = null;
  let said = Infinity; // the last threshold that was told

  function hear() {
    const now = byId("now").dataset.now;
    if (now === heard) return;
    heard = now;
    ahead = Number(now) - Date.now();
  }

  function text(left) {
    const seconds = Math.floor(left / 1000);
    if (seconds < 10) return `0:0${(left / 1000).toFixed(1)}`;
    const pair = (number) => String(number).padStart(2, "0");
    const days = Math.floor(seconds / 86_400);
    const hours = Math.floor(seconds / 3_600) % 24;
    const minutes = Math.floor(seconds / 60) % 60;
    if (days) return `${days} d ${hours} h`;
    return hours ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
  }

  function tick() {
    for (const clock of document.querySelectorAll("main .clock")) {
      const { deadline, left: standing, low, mine } = clock.dataset;
      const left = deadline ? Math.max(0, Number(deadline) - Date.now() - ahead) : Number(standing);
      const shown = text(left);
      if (clock.textContent !== shown) clock.textContent = shown;
      clock.classList.toggle("clock-low", left < Number(low));
      if (mine !== undefined) tell(left, deadline !== undefined);
    }
  }

  function tell(left, isRunning) {
    const seconds = left / 1000;
    if (!isRunning || seconds > SAID_AT[0]) {
      if (seconds > SAID_AT[0]) said = Infinity;
      return;
    }
    const threshold = SAID_AT.findLast((limit) => seconds <= limit);
    if (threshold >= said) return;
    said = threshold;
    const line = document.createElement("p");
    line.textContent = `${threshold} seconds left`;
    byId("log").append(line);
  }

  // The win may be claimed some time after the opponent has left.
  let claim = null;
  function watchClaim() {
    const form = document.querySelector("#attendance form[data-claim-in]");
    if (form === claim) return;
    claim = form;
    if (form) setTimeout(() => (form.hidden = false), Number(form.dataset.claimIn) * 1000);
  }

  document.addEventListener("htmx:after:swap", () => {
    hear();
    tick();
    watchClaim();
  });
  setInterval(tick, 100);
  hear();
  tick();
})();
