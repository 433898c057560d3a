// The players' clocks, counted on between two snapshots.

import { clock } from "./words.js";

const SHORT = 20;

export class Clocks {
  /** Takes the clocks of a snapshot, unless it is the one that is known. */
  tell(snapshot) {
    if (snapshot === this.snapshot) return;
    this.snapshot = snapshot;
    this.told = snapshot?.live?.clocks;
    this.at = performance.now();
    this.held = null;
  }

  /** Stops a board's clocks here until the program says how they stand: someone has just pressed. */
  hold(board) {
    this.held = board;
    this.heldAt = performance.now();
  }

  release() {
    this.held = null;
  }

  known(board) {
    return Boolean(this.told?.[board]);
  }

  running(board) {
    return (board !== this.held && this.told?.[board]?.running) || null;
  }

  /** What is left now. */
  seconds(board, color) {
    const side = this.told[board];
    if (side.running !== color) return Math.max(0, side[color]);
    const now = board === this.held ? this.heldAt : performance.now();
    const gone = (now - this.at) / 1000;
    return Math.max(0, side[color] - gone);
  }
}

/** Minutes and seconds; tenths when time is short, and never 0 before it is. */
export function remaining(seconds) {
  if (seconds >= SHORT) return clock(seconds);
  const tenths = Math.ceil(seconds * 10);
  return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
}

/** "3:00", "1:02:00", "90" or "2.5" as seconds; null where it is no time. */
export function secondsOf(words) {
  const parts = words.trim().replace(",", ".").split(":");
  if (parts.length > 3 || !parts.every((part) => /^\d+(\.\d+)?$/.test(part))) return null;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}
