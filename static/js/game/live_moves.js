// Moves over the game's live connection, which brings the new position as well: a request costs the server more.
import { byId } from "../dom.js";
import { replaceSilent } from "../live.js";

// Milliseconds to wait for an answer; then the same move is sent as a request. A coach looks at it for up to 3 s.
const PATIENCE = "coached" in byId("game").dataset ? 6_000 : 2_000;

let connection = null; // of the game, while something comes over it

/** @type {Map<string, (answer: Response | null) => void>} */
const waiting = new Map(); // by the id of the move

/**
 * Sends a move. Resolves to its answer, or to null if it has to be sent as a request.
 * @param {{ move: string, ply: string, move_id: string, sure: string }} fields
 * @returns {Promise<Response | null>}
 */
export async function sendLive({ move, ply, move_id: id, sure }) {
  replaceSilent();
  if (connection?.socket?.readyState !== WebSocket.OPEN || !navigator.onLine) return null;
  const message = { type: "move", move, ply: Number(ply), move_id: id, sure: sure === "true" };
  let patience;
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    patience = setTimeout(giveUp, PATIENCE, resolve);
    connection.socket.send(JSON.stringify(message));
  });
  clearTimeout(patience);
  waiting.delete(id);
  return answer;
}

// The next moves need not wait as long: they are requests until something comes again.
function giveUp(resolve) {
  connection = null;
  resolve(null);
}

function receive({ answers, played, html, cookie }) {
  if (cookie) document.cookie = cookie;
  const answer = played ? new Response("") : html ? new Response(html, { status: 409 }) : null;
  waiting.get(answers)?.(answer);
}

// The server reads what a page sends once it has sent something itself.
document.addEventListener("htmx-ws-before-message-incoming", ({ target, detail }) => {
  if (target.id === "game") connection = detail.connection;
  if (!detail.message.data.startsWith("{")) return;
  const answer = JSON.parse(detail.message.data);
  if (answer.answers) receive(answer);
});

document.addEventListener("htmx-ws-close", ({ target }) => {
  if (target.id !== "game") return;
  connection = null;
  for (const resolve of waiting.values()) resolve(null);
});
