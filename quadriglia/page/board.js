// One board with both players' pockets, drawn square by square: only what changed is touched.

import { piece } from "./pieces.js";
import { text } from "./words.js";

const FILES = "abcdefgh";
const POCKET = "PNBRQ";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Partners sit side by side: board A has White at the bottom, board B Black. */
export class BoardPanel {
  constructor(name, boards) {
    this.name = name;
    this.turned = name === "B";
    this.team = boards === 2;
    this.letters = new Map();
    this.squares = new Map();
    this.element = document.createElement("section");
    this.element.className = "panel";
    this.title = make("h2", "", this.element);
    const line = make("p", "now", this.element);
    this.newest = make("strong", "newest", line);
    this.state = make("span", "pill", line);
    const bottom = this.turned ? "black" : "white";
    const top = this.turned ? "white" : "black";
    this.players = { [top]: new Player(name, top, "top", this.element) };
    this.grid = make("div", "board", this.element);
    this.grid.setAttribute("role", "img");
    this.players[bottom] = new Player(name, bottom, "bottom", this.element);
    this.makeSquares();
  }

  makeSquares() {
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const file = this.turned ? 7 - column : column;
        const rank = this.turned ? row : 7 - row;
        const square = make("div", (file + rank) % 2 ? "light" : "dark", this.grid);
        if (column === 0) make("span", "rank", square).textContent = rank + 1;
        if (row === 7) make("span", "file", square).textContent = FILES[file];
        this.squares.set(FILES[file] + (rank + 1), square);
      }
    }
  }

  show(board, moves) {
    this.title.textContent = text("page.board", { board: this.name });
    this.state.textContent = text(`state.${board.state}`);
    this.element.dataset.state = board.state;
    const last = moves.at(-1);
    const either = board.explanations.map((sans) => sans.join(" ")).join(` ${text("page.or")} `);
    this.state.title = either;
    if (either) this.state.textContent += `: ${either}?`;
    this.newest.textContent = last ? `${last.number}${last.color === "white" ? "." : "…"} ${last.san}` : "";
    for (const [color, player] of Object.entries(this.players)) {
      player.show(board.pockets[color], this.team, board.turn === color && ["ready", "running"].includes(board.state));
    }
    this.place(lettersOf(board.placement), board);
    for (const [name, square] of this.squares) square.classList.toggle("last", board.last.includes(name));
    this.grid.setAttribute("aria-label", this.spoken());
  }

  place(letters, board) {
    const fresh = this.letters.size > 0;
    for (const [name, square] of this.squares) {
      const letter = letters.get(name);
      if (letter !== this.letters.get(name)) {
        square.querySelector(".piece")?.remove();
        if (letter) {
          const drawing = piece(letter);
          square.append(drawing);
          if (fresh && name === board.last.at(-1)) this.arrive(drawing, board.last);
        }
      }
      // What a promoted man is and where it promoted has to be known to all: it will be a pawn again.
      const origin = letter ? board.promoted[name] : undefined;
      square.classList.toggle("promoted", Boolean(origin));
      square.dataset.origin = origin ?? "";
      square.title = origin ? text("page.promoted", { piece: text(`piece.${letter.toUpperCase()}`), square: origin }) : "";
    }
    this.letters = letters;
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
      return `${text(`piece.${letter.toUpperCase()}`)} ${name}`;
    });
    const white = on((letter) => letter === letter.toUpperCase()).join(", ");
    const black = on((letter) => letter !== letter.toUpperCase()).join(", ");
    return `${this.title.textContent}. ${text("color.white")}: ${white}. ${text("color.black")}: ${black}.`;
  }
}

/** One player's strip: seat, team, whose turn, pocket. */
class Player {
  constructor(board, color, place, parent) {
    this.seat = (color === "white" ? "White" : "Black") + board;
    this.mate = (color === "white" ? "Black" : "White") + (board === "A" ? "B" : "A");
    this.color = color;
    this.element = make("div", `player ${place}`, parent);
    this.name = make("p", `seat ${color}`, this.element);
    this.pocket = make("ul", "pocket", this.element);
    this.shown = false;
    this.slots = new Map();
    for (const kind of POCKET) {
      const slot = make("li", "", this.pocket);
      slot.append(piece(color === "white" ? kind : kind.toLowerCase()));
      this.slots.set(kind, { slot, count: make("span", "count", slot) });
    }
  }

  show(pocket, team, turn) {
    this.name.textContent = text(team ? `seat.${this.seat}` : `color.${this.color}`);
    if (team) make("span", "partner", this.name).textContent = text("page.partner", { partner: text(`seat.${this.mate}`) });
    this.element.classList.toggle("turn", turn);
    this.element.title = turn ? text("page.to_move") : "";
    this.pocket.setAttribute("aria-label", text("page.pocket"));
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

function lettersOf(placement) {
  const letters = new Map();
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else letters.set(FILES[file++] + (8 - index), sign);
    }
  });
  return letters;
}

function make(tag, className, parent) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  parent.append(element);
  return element;
}
