// Requests that are repeated until the server has answered them. Each carries an id, so that repeating one changes
// nothing.
const PATIENCE = 10_000; // milliseconds to wait for an answer
const PAUSE = 1_500; // milliseconds between attempts, unless the server asks for more
const NOT_ANSWERED = new Set([408, 429, 502, 503, 504]); // too many requests, or no server behind the proxy

/**
 * Fetches until there is an answer. `onTrouble` is called after each attempt without one.
 * @param {string} url
 * @param {RequestInit} request
 * @param {() => void} onTrouble
 */
export async function insist(url, request, onTrouble) {
  for (;;) {
    let pause = PAUSE;
    try {
      const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE) });
      if (!NOT_ANSWERED.has(answer.status)) {
        await answer.clone().arrayBuffer(); // an answer that was cut off is none
        return answer;
      }
      pause = Math.max(pause, 1000 * Number(answer.headers.get("Retry-After")) || 0);
    } catch {
      // No network, or no answer in time.
    }
    onTrouble();
    await restored(pause);
  }
}

// Resolves after a pause, or as soon as the browser is online again.
function restored(pause) {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener("online", finish);
      resolve();
    };
    const timer = setTimeout(finish, pause);
    addEventListener("online", finish);
  });
}
