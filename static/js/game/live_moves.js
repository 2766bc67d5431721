// Moves over the game's live connection, which brings the new position as well: a request costs the server more.
const PATIENCE = 3_000; // milliseconds to wait for an answer; then the same move is sent as a request

let connection = null; // of the game

/** @type {Map<string, (answer: Response | null) => void>} */
const waiting = new Map(); // by the id of the move

/**
 * Sends a move. Resolves to its answer, or to null if it has to be sent as a request.
 * @param {{ move: string, ply: string, move_id: string }} fields
 * @returns {Promise<Response | null>}
 */
export async function sendLive({ move, ply, move_id: id }) {
  if (connection?.socket?.readyState !== WebSocket.OPEN || !navigator.onLine) return null;
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    setTimeout(resolve, PATIENCE, null);
    connection.socket.send(JSON.stringify({ type: "move", move, ply: Number(ply), move_id: id }));
  });
  waiting.delete(id);
  return answer;
}

function receive({ answers, played, html, cookie }) {
  if (cookie) document.cookie = cookie;
  const answer = played ? new Response("") : html ? new Response(html, { status: 409 }) : null;
  waiting.get(answers)?.(answer);
}

document.addEventListener("htmx-ws-after-connection", (event) => {
  if (event.target.id === "game") connection = event.detail.connection;
});

document.addEventListener("htmx-ws-before-message-incoming", ({ detail: { message } }) => {
  if (!message.data.startsWith("{")) return;
  const answer = JSON.parse(message.data);
  if (answer.answers) receive(answer);
});

document.addEventListener("htmx-ws-close", (event) => {
  if (event.target.id === "game") for (const resolve of waiting.values()) resolve(null);
});
