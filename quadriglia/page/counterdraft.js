// A position of counters as the arbiter puts it right, and its FEN. Places are as `Draft` has them, without reserves.

import { pawnsOf } from "./counters.js";
import { lettersOf, placementOf, sideOf } from "./grid.js";

export class CounterDraft {
  constructor({ placement, turn }) {
    this.side = sideOf(placement);
    this.counters = lettersOf(placement);
    this.turn = turn;
  }

  /** The letter of the counter at a place, or null. */
  at(place) {
    return place?.startsWith("supply:") ? place.at(-1) : this.counters.get(place) ?? null;
  }

  /** Moves a counter. False, and nothing happens, where there is none. */
  move(from, to) {
    const letter = this.at(from);
    if (!letter || from === to) return false;
    this.counters.delete(from);
    if (to && !to.startsWith("supply:")) this.counters.set(to, letter);
    return true;
  }

  /** Turns the counter on a square over. */
  flip(square) {
    const letter = this.counters.get(square);
    this.counters.set(square, letter === "C" ? "c" : "C");
  }

  /** Any counters make a position. */
  fault() {
    return "";
  }

  letters() {
    return new Map(this.counters);
  }

  promoted() {
    return {};
  }

  fen() {
    const placement = placementOf(this.side, (square) => this.counters.get(square));
    return `${pawnsOf(placement)} ${this.turn[0]}`;
  }
}
