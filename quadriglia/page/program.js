// Talks to the program: snapshots come through a WebSocket, commands go by POST.

import { withCounters } from "./counters.js";
import { has, text } from "./words.js";

const PATIENCE = 5000;
const READING = 12000;
let fading = 0;

/** Calls `told(snapshot, connection)` on every change; the connection is "open", "lost" or "forbidden". */
export function listen(told) {
  let snapshot = null;
  let wait = 500;
  let next = 0;
  const open = () => {
    clearTimeout(next);
    next = 0;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    socket.addEventListener("open", () => {
      wait = 500;
      told(snapshot, "open");
    });
    socket.addEventListener("message", (message) => {
      const newest = withCounters(JSON.parse(message.data));
      // A page is laid out for one game, and may stay open until the next evening brings another.
      if (snapshot?.game && newest.game !== snapshot.game) location.reload();
      snapshot = newest;
      told(snapshot, "open");
    });
    socket.addEventListener("close", async () => {
      next = setTimeout(open, wait);
      wait = Math.min(wait * 1.5, PATIENCE);
      told(snapshot, (await forbidden()) ? "forbidden" : "lost");
    });
  };
  // A telephone that wakes up should not wait for its turn.
  document.addEventListener("visibilitychange", () => {
    if (next && !document.hidden) open();
  });
  told(snapshot, "lost");
  open();
}

/** A browser does not tell why a WebSocket was refused; a plain request does. */
async function forbidden() {
  try {
    return (await fetch("/snapshot.json")).status === 403;
  } catch {
    return false;
  }
}

/** What the program answers: `{ok, revision}` or `{ok, error}`. */
export async function command(body) {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/command", { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status === 403) return { ok: false, error: "forbidden" };
    return await answer.json().catch(() => ({ ok: false, error: answer.status }));
  } catch {
    return { ok: false, error: "unreachable" };
  }
}

let asked = 0;
let refused = 0;

/** A command whose refusal is told in the page's own line. An older one that is answered late does not wipe it off. */
export async function order(body) {
  const number = ++asked;
  const answer = await command(body);
  if (!answer.ok) refused = number;
  if (number >= refused) complain(answer.ok ? "" : answer.error);
  return answer;
}

/** One line, which goes by itself or with the next command. */
export function complain(error) {
  clearTimeout(fading);
  const line = document.querySelector("dialog[open] .error") ?? document.querySelector("#error");
  line.textContent = error && refusal(error);
  line.hidden = !error;
  if (error) fading = setTimeout(() => (line.hidden = true), READING);
}

export function refusal(error) {
  return has(`live.error.${error}`) ? text(`live.error.${error}`) : text("live.error.other", { error });
}
