// The game page: which update is news, the keyboard on the board, confirming a tap, stepping through the replay.
(() => {
  const FINGER_SQUARE = 36; // pixels; a tap on anything smaller is confirmed by a second one
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const byId = (id) => document.getElementById(id);

  let here = null; // id of the square that is the board's tab stop
  let picked = null; // name of the square that a first tap selected

  // --- Updates -------------------------------------------------------------------------------------------------
  // Moves come back twice, as the answer to the request and by the socket: the version tells what is news.

  const versionIn = (task) => Number(task.fragment?.querySelector("#version")?.dataset.version ?? NaN);

  document.addEventListener("htmx:before:swap", (event) => {
    const { tasks } = event.detail;
    const version = tasks.map(versionIn).find((found) => !Number.isNaN(found));
    if (version === undefined) return;
    const isNotice = (task) => task.target === byId("notice");
    if (version <= Number(byId("version").dataset.version)) {
      tasks.splice(0, tasks.length, ...tasks.filter((task) => isNotice(task) || task.target === byId("now")));
      return;
    }
    unpick();
    byId("game").dataset.version = version;
    if (!tasks.some(isNotice)) byId("notice").replaceChildren();
  });

  document.addEventListener("htmx:after:swap", () => {
    settle();
    showPly();
  });

  // --- The board: one tab stop, arrow keys ---------------------------------------------------------------------

  const grid = () => byId("board").querySelector('[role="grid"]');
  const cells = () => [...grid().querySelectorAll('[role="gridcell"]')];

  function settle() {
    const all = cells();
    if (!all.some((cell) => cell.id === here)) {
      const size = grid().children.length;
      const played = grid().querySelector(".last");
      here = (played ?? all[Math.floor(size / 2) * (size + 1)]).id;
    }
    const hinted = document.querySelector("#hint [data-hint]")?.dataset.hint;
    for (const cell of all) {
      cell.classList.toggle("hinted", cell.id === `sq-${hinted}`);
      cell.tabIndex = cell.id === here ? 0 : -1;
      const button = cell.querySelector("button");
      if (button) button.tabIndex = -1;
    }
    mark();
  }

  function goTo(cell) {
    byId(here).tabIndex = -1;
    here = cell.id;
    cell.tabIndex = 0;
    cell.focus();
  }

  document.addEventListener("focusin", (event) => {
    // The square keeps the focus, not the button in it, which goes away when the turn is over.
    const cell = event.target.closest?.('#board [role="gridcell"]');
    if (cell && (cell.id !== here || event.target !== cell)) goTo(cell);
  });

  function walk(event, cell) {
    const row = [...cell.parentElement.children];
    const rows = [...grid().children];
    let column = row.indexOf(cell);
    let line = rows.indexOf(cell.parentElement);
    if (event.key in ARROWS) {
      column += ARROWS[event.key][0];
      line += ARROWS[event.key][1];
    } else if (event.key === "Home" || event.key === "End") {
      column = event.key === "Home" ? 0 : row.length - 1;
      if (event.ctrlKey) line = event.key === "Home" ? 0 : rows.length - 1;
    } else if (event.key === "Enter" || event.key === " ") {
      (cell.querySelector("button") ?? cell).click();
    } else {
      return;
    }
    event.preventDefault();
    const next = rows[line]?.children[column];
    if (next && next !== cell) goTo(next);
  }

  // --- Confirmed moves: one tap or click selects, a second one or the button plays -----------------------------

  let byFinger = false;
  document.addEventListener("pointerup", (event) => (byFinger = event.pointerType === "touch"), true);

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest?.("#board button[name=move]");
      if (!button && picked && event.target.closest?.("#board")) unpick();
      if (!button || button.value === picked || !isConfirmed(button)) return;
      event.preventDefault();
      event.stopPropagation();
      picked = button.value;
      mark();
    },
    true,
  );

  // Some confirm each move, some none, the others those that a finger makes on a small square.
  function isConfirmed(button) {
    const wanted = document.documentElement.dataset.confirm;
    if (wanted) return wanted === "always";
    const isSmall = button.parentElement.getBoundingClientRect().width < FINGER_SQUARE;
    return isSmall && byFinger && matchMedia("(pointer: coarse)").matches;
  }

  function unpick() {
    picked = null;
    mark();
  }

  function mark() {
    const square = picked && byId(`sq-${picked}`);
    for (const cell of document.querySelectorAll("#board .picked")) cell.classList.remove("picked");
    const confirm = byId("confirm");
    confirm.hidden = !square;
    if (!square) return;
    square.classList.add("picked");
    const button = confirm.firstElementChild;
    button.value = picked;
    button.textContent = `Play ${picked}`;
  }

  // --- The replay ----------------------------------------------------------------------------------------------

  const lastPly = () => Number(byId("version").dataset.ply);
  let wanted = null; // the ply that is on its way

  function step(key) {
    const last = lastPly();
    const from = wanted ?? Number(document.querySelector(".replay")?.dataset.ply ?? last);
    const ply = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[key];
    if (ply >= 0 && ply !== from) show(Math.min(ply, last));
  }

  // One request at a time, always for what was asked for last: quick keys are neither lost nor overtaken.
  async function show(ply) {
    const isUnderWay = wanted !== null;
    wanted = ply;
    if (isUnderWay) return;
    try {
      let reached;
      do {
        reached = wanted;
        await load(reached);
      } while (wanted !== reached);
    } finally {
      wanted = null;
    }
  }

  // The server answers with nothing for the last ply: that is the live board.
  function load(ply) {
    const url = `/games/${byId("game").dataset.game}${ply < lastPly() ? `?ply=${ply}` : ""}`;
    return htmx.ajax("GET", url, { target: "#replay", swap: "innerMorph", replace: "true" });
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("#moves a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await show(Number(new URL(link.href).searchParams.get("ply")));
    const board = document.querySelector(".replay .board") ?? byId("board");
    if (board.getBoundingClientRect().bottom < 120) board.scrollIntoView({ block: "nearest" });
  });

  function showPly() {
    const ply = document.querySelector(".replay")?.dataset.ply ?? byId("version").dataset.ply;
    const ledger = document.querySelector("#moves .ledger");
    if (!ledger) return;
    ledger.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = ledger.querySelector(`a[href="?ply=${ply}"]`);
    current?.setAttribute("aria-current", "step");
    // Scrolls the list only, never the page.
    ledger.scrollTop = current ? current.parentElement.offsetTop - ledger.clientHeight / 2 : 0;
  }

  // Who came to the board by Tab walks on it with the arrow keys; who clicked on it leafs with them.
  let byPointer = false;
  document.addEventListener("pointerdown", () => (byPointer = true), true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") byPointer = false;
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    const cell = event.target.closest('#board [role="gridcell"]');
    if (cell && /^[a-z]$/.test(event.key) && !event.ctrlKey) {
      return document.querySelector(`#actions [data-key="${event.key}"]`)?.click();
    }
    const isChoice = event.key === "Enter" || event.key === " ";
    if (cell && (isChoice || !byPointer)) return walk(event, cell);
    if (event.key === "Escape") {
      for (const open of document.querySelectorAll("#actions details[open]")) open.open = false;
      return;
    }
    const inField = event.target.matches("input:not([type=checkbox]), select, textarea");
    if (inField || event.ctrlKey || event.shiftKey) return;
    if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      event.preventDefault();
      step(event.key);
    }
  });

  settle();
  showPly();
})();
