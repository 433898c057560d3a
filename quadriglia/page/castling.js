// What may still castle, in a position that is put right by hand.

import { make, say } from "./dom.js";
import { HOMES } from "./draft.js";
import { text } from "./words.js";

export class Castling {
  /** `draft()`: the position, whose rights the arbiter sets. */
  constructor(parent, draft) {
    this.element = make("fieldset", "castling", parent);
    this.title = make("legend", "", this.element);
    this.sides = new Map();
    this.rights = new Map(Object.keys(HOMES).map((right) => {
      const color = right === right.toUpperCase() ? "white" : "black";
      if (!this.sides.has(color)) this.sides.set(color, make("span", "", this.element));
      const label = make("label", "", this.element);
      const box = make("input", "", label);
      make("span", "", label, right.toUpperCase() === "K" ? "O-O" : "O-O-O");
      box.type = "checkbox";
      box.addEventListener("change", () => draft().rights[box.checked ? "add" : "delete"](right));
      return [right, { box, color }];
    }));
  }

  show(draft) {
    say(this.title, text("live.castling"));
    for (const [color, words] of this.sides) say(words, text(`color.${color}`));
    for (const [right, { box, color }] of this.rights) {
      box.disabled = !draft.atHome(right);
      box.checked = draft.rights.has(right) && !box.disabled;
      box.setAttribute("aria-label", `${text(`color.${color}`)} ${box.nextSibling.textContent}`);
    }
  }
}
