// A position as the arbiter puts it right: men on squares and in reserves, whose turn it is, and its FEN.
// A place is a square ("e4"), a reserve's men of one kind ("white:N"), a man of the supply ("supply:n"), or null: away.

import { FILES, placementOf } from "./grid.js";
import { KINDS } from "./pocket.js";
import { COLORS } from "./seats.js";

/** Where king and rook have to stand for a right to castle. */
export const HOMES = { K: ["e1", "h1"], Q: ["e1", "a1"], k: ["e8", "h8"], q: ["e8", "a8"] };

export class Draft {
  constructor({ fen, pockets, promoted }) {
    const [placement, turn, castling, passing, ...clocks] = fen.replace(/\[.*?\]/, "").split(" ");
    this.men = menOf(placement);
    this.held = fen.includes("[");
    for (const square of Object.keys(promoted)) if (this.men.has(square)) this.men.get(square).promoted = true;
    this.origins = { ...promoted };
    this.pockets = Object.fromEntries(COLORS.map((color) => [color, { ...pockets[color] }]));
    this.turn = turn === "w" ? "white" : "black";
    this.rights = new Set([...castling].filter((right) => right in HOMES));
    this.passing = passing;
    this.clocks = clocks;
    this.start = this.placement() + this.turn;
  }

  /** The letter of the man at a place, or null. */
  at(place) {
    if (!place) return null;
    const [where, which] = place.split(":");
    if (where === "supply") return which;
    if (which) return this.pockets[where][which] ? colored(which, where) : null;
    return this.men.get(place)?.letter ?? null;
  }

  /** Moves a man. False, and nothing happens, where it cannot go: a king goes into no reserve. */
  move(from, to) {
    const letter = this.at(from);
    if (!letter || from === to) return false;
    const [where, which] = (to ?? "").split(":");
    const man = this.men.get(from) ?? { letter, promoted: false };
    const kind = man.promoted ? "P" : letter.toUpperCase();
    if (which && where !== "supply" && kind === "K") return false;
    this.take(from);
    if (which && where !== "supply") this.pockets[where][kind] = (this.pockets[where][kind] ?? 0) + 1;
    else if (to && !which) this.put(to, man, from);
    return true;
  }

  take(from) {
    const [where, which] = from.split(":");
    if (where === "supply") return;
    if (which) this.pockets[where][which] -= 1;
    else this.men.delete(from);
  }

  put(square, man, from) {
    this.men.set(square, man);
    delete this.origins[square];
    if (man.promoted && this.origins[from]) this.origins[square] = this.origins[from];
    delete this.origins[from];
  }

  /** Whether king and rook stand where they could castle from. */
  atHome(right) {
    const white = right === right.toUpperCase();
    return HOMES[right].every((square, index) => this.at(square) === (white ? "KR" : "kr")[index]);
  }

  /** The key of what is wrong with the position, if anything is: a king is missing or there more than once. */
  fault() {
    const letters = [...this.men.values()].map(({ letter }) => letter);
    const alone = (king) => letters.filter((letter) => letter === king).length === 1;
    return alone("K") && alone("k") ? "" : "live.one_king";
  }

  letters() {
    return new Map([...this.men].map(([square, { letter }]) => [square, letter]));
  }

  promoted() {
    const squares = [...this.men].filter(([, man]) => man.promoted).map(([square]) => square);
    return Object.fromEntries(squares.map((square) => [square, this.origins[square] ?? square]));
  }

  placement() {
    return placementOf(8, (square) => {
      const man = this.men.get(square);
      return man && man.letter + (man.promoted ? "~" : "");
    });
  }

  fen() {
    const reserves = COLORS.flatMap((color) => [...KINDS].reverse().map((kind) => {
      return colored(kind, color).repeat(this.pockets[color][kind] ?? 0);
    })).join("");
    const castling = Object.keys(HOMES).filter((right) => this.rights.has(right) && this.atHome(right)).join("");
    const passing = this.placement() + this.turn === this.start ? this.passing : "-";
    const men = this.placement() + (this.held ? `[${reserves}]` : "");
    return [men, this.turn[0], castling || "-", passing, ...this.clocks].join(" ");
  }
}

export function colored(kind, color) {
  return color === "white" ? kind : kind.toLowerCase();
}

function menOf(placement) {
  const men = new Map();
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const [, sign, mark] of row.matchAll(/([\dA-Za-z])(~?)/g)) {
      if (/\d/.test(sign)) file += Number(sign);
      else men.set(FILES[file++] + (8 - index), { letter: sign, promoted: Boolean(mark) });
    }
  });
  return men;
}
