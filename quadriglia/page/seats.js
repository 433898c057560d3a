// Who sits where, what they are called, and what they played.

import { text } from "./words.js";

export const COLORS = ["white", "black"];

export function seat(board, color) {
  return (color === "white" ? "White" : "Black") + board;
}

/** The partner's seat: the other colour on the other board. */
export function mate(board, color) {
  return seat(board === "A" ? "B" : "A", color === "white" ? "black" : "white");
}

/** "White A", or only "White" where there is one board. */
export function seatText(name, boards) {
  return text(boards === 2 ? `seat.${name}` : `color.${name.slice(0, 5).toLowerCase()}`);
}

/** A player by name and seat, as in "Anna (White A)"; by the seat alone where nobody gave a name. */
export function playerText(snapshot, name) {
  const sits = seatText(name, Object.keys(snapshot.boards).length);
  const called = snapshot.live?.players?.[name.at(-1)]?.[name.slice(0, 5).toLowerCase()];
  return called ? `${called} (${sits})` : sits;
}

/** The players with one of them renamed, for the command that names them all. */
export function renamed(players, board, color, name) {
  return { ...players, [board]: { ...players[board], [color]: name } };
}

/** "4… d5" */
export function numbered({ number, color, san }) {
  return `${number}${color === "white" ? "." : "…"} ${san}`;
}

/** SAN that may go on in the next line between the squares of counters that were turned against the rules. */
export function breakable(san) {
  const [action, turned] = san.split("~");
  return turned === undefined ? san : `${action}~\u200b${turned.replace(/..(?=.)/g, "$&\u200b")}`;
}
