// The squares of a board and the men on them: only what changed is touched.

import { element, make } from "./dom.js";
import { piece } from "./pieces.js";
import { text } from "./words.js";

export const FILES = "abcdefgh";
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Partners sit side by side: board A has White at the bottom, board B Black. */
export function turned(board) {
  return board === "B";
}

/** How many squares a side has, by a FEN placement. */
export function sideOf(placement) {
  return placement.split("/").length;
}

/** The letters of a FEN placement by square. Marks of promotion are left out. */
export function lettersOf(placement) {
  const letters = new Map();
  const rows = placement.replaceAll("~", "").split("/");
  rows.forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else letters.set(FILES[file++] + (rows.length - index), sign);
    }
  });
  return letters;
}

/** The FEN placement of a board with so many squares a side; `signs(square)`: what stands there, if anything does. */
export function placementOf(side, signs) {
  const files = [...FILES].slice(0, side);
  const ranks = files.map((_, index) => side - index);
  const rows = ranks.map((rank) => files.map((file) => signs(file + rank) ?? "1").join(""));
  return rows.map((row) => row.replace(/1+/g, (empty) => empty.length)).join("/");
}

export class Grid {
  constructor(board, side) {
    this.letters = new Map();
    this.squares = new Map();
    this.side = side;
    this.element = element("div", "", "board");
    this.element.dataset.side = side;
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const file = turned(board) ? side - 1 - column : column;
        const rank = turned(board) ? row : side - 1 - row;
        const square = make("div", (file + rank) % 2 ? "light" : "dark", this.element);
        if (column === 0) make("span", "rank", square, rank + 1);
        if (row === side - 1) make("span", "file", square, FILES[file]);
        this.squares.set(FILES[file] + (rank + 1), square);
      }
    }
  }

  /** `promoted`: squares of promoted men and where they promoted. `last`: the last move's squares, to be seen. */
  show(letters, promoted, last = []) {
    const fresh = this.letters.size > 0;
    for (const [name, square] of this.squares) {
      const letter = letters.get(name);
      if (letter !== this.letters.get(name)) {
        square.querySelector(".piece")?.remove();
        if (letter) {
          const drawing = piece(letter);
          square.append(drawing);
          if (fresh && name === last.at(-1)) this.arrive(drawing, last);
        }
      }
      // What a promoted man is and where it promoted has to be known to all: it will be a pawn again.
      const origin = letter ? promoted[name] : undefined;
      square.classList.toggle("promoted", Boolean(origin));
      square.dataset.origin = origin ?? "";
      const named = origin && text(`piece.${letter.toUpperCase()}`);
      square.title = origin ? text("page.promoted", { piece: named, square: origin }) : "";
      square.classList.toggle("last", last.includes(name));
    }
    this.letters = letters;
  }

  /** Gives a class to these squares and to no others. */
  mark(className, names) {
    for (const [name, square] of this.squares) square.classList.toggle(className, names.includes(name));
  }

  /** A moved piece glides over from its square, a dropped one comes down. */
  arrive(drawing, last) {
    if (calm.matches) return;
    const [from, to] = [last[0], last.at(-1)].map((name) => this.squares.get(name).getBoundingClientRect());
    const start = last.length === 2 ? `translate(${from.x - to.x}px, ${from.y - to.y}px)` : "scale(1.9)";
    drawing.animate([{ transform: start, zIndex: 2 }, { transform: "none", zIndex: 2 }], {
      duration: 180,
      easing: "ease-out",
    });
  }

  /** The position in words, for who cannot see it. */
  spoken() {
    const on = (test) => [...this.letters].filter(([, letter]) => test(letter)).map(([name, letter]) => {
      const kind = letter.toUpperCase();
      // Counters are all alike: where they are says everything.
      return kind === "C" ? name : `${text(`piece.${kind}`)} ${name}`;
    });
    const white = on((letter) => letter === letter.toUpperCase()).join(", ");
    const black = on((letter) => letter !== letter.toUpperCase()).join(", ");
    return `${text("color.white")}: ${white}. ${text("color.black")}: ${black}.`;
  }
}
