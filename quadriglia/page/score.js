// How many counters a player has on the board: what such games are won by.

import { hasCounters } from "./counters.js";
import { element, make, say } from "./dom.js";
import { piece } from "./pieces.js";
import { COLORS } from "./seats.js";
import { text } from "./words.js";

export class Score {
  constructor(color) {
    this.color = color;
    this.element = element("span", "", "score");
    this.element.setAttribute("role", "img");
    this.element.append(piece(color === "white" ? "C" : "c"));
    this.count = make("b", "", this.element);
  }

  /** Chessmen are not counted: then nothing is there. */
  show(board) {
    this.element.hidden = !hasCounters(board);
    if (this.element.hidden) return;
    const count = board.score[COLORS.indexOf(this.color)];
    say(this.count, String(count));
    this.element.setAttribute("aria-label", text("page.counters", { color: text(`color.${this.color}`), count }));
  }
}
