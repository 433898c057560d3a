// One player's reserve: a place for every kind of man, with a count.

import { element, make } from "./dom.js";
import { calm } from "./grid.js";
import { piece } from "./pieces.js";
import { text } from "./words.js";

export const KINDS = "PNBRQ";

export function hasReserves(game) {
  return ["bughouse", "crazyhouse"].includes(game);
}

export class Pocket {
  constructor(color) {
    this.element = element("ul", "", "pocket");
    this.shown = false;
    this.slots = new Map();
    for (const kind of KINDS) {
      const slot = make("li", "", this.element);
      slot.append(piece(color === "white" ? kind : kind.toLowerCase()));
      this.slots.set(kind, { slot, count: make("span", "count", slot) });
    }
  }

  show(pocket) {
    this.element.setAttribute("aria-label", text("page.pocket"));
    for (const [kind, { slot, count }] of this.slots) {
      const number = pocket[kind] ?? 0;
      const more = this.shown && number > Number(count.textContent);
      count.textContent = number || "";
      slot.classList.toggle("none", !number);
      slot.setAttribute("aria-label", `${number} ${text(`piece.${kind}`)}`);
      if (more && !calm.matches) {
        slot.animate([{ transform: "scale(1.5)" }, { transform: "none" }], { duration: 350, easing: "ease-out" });
      }
    }
    this.shown = true;
  }
}
