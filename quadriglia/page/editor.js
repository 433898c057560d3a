// Putting a board right: men dragged or placed by hand, whose turn it is, and what may still castle.

import { button, element, make, say } from "./dom.js";
import { draggable } from "./drag.js";
import { colored, Draft, HOMES } from "./draft.js";
import { Grid, turned } from "./grid.js";
import { piece } from "./pieces.js";
import { KINDS, Pocket } from "./pocket.js";
import { command, refusal } from "./program.js";
import { COLORS } from "./seats.js";
import { man, text } from "./words.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };

export class Editor {
  constructor(name, board, revision, leave) {
    this.name = name;
    this.leave = leave;
    this.element = element("div", "", "editor");
    this.element.setAttribute("role", "group");
    const head = make("div", "head", this.element);
    this.says = make("p", "says", head);
    this.says.setAttribute("role", "status");
    this.look = button("look", head, () => this.begin(this.newest.board, this.newest.revision));
    this.makePlaces();
    this.makeCastling();
    this.makeEnd();
    draggable(this.element, {
      holds: (place) => this.draft.at(place),
      moved: (from, to) => this.move(from, to),
      chosen: (place) => this.choose(place),
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.begin(board, revision);
  }

  /** Reserves, squares and supply are places; one square at a time is reached by Tab, the others by arrows. */
  makePlaces() {
    const [top, bottom] = turned(this.name) ? ["white", "black"] : ["black", "white"];
    this.pockets = { [top]: new Pocket(top), [bottom]: new Pocket(bottom) };
    this.grid = new Grid(this.name);
    const strip = (color) => {
      const line = make("div", "reserve", this.element);
      line.append(this.pockets[color].element);
      this.pockets[color].element.setAttribute("role", "group");
      for (const [kind, { slot }] of this.pockets[color].slots) becomePlace(slot, `${color}:${kind}`);
    };
    strip(top);
    this.element.append(this.grid.element);
    strip(bottom);
    for (const [square, cell] of this.grid.squares) becomePlace(cell, square, square === "e4" ? 0 : -1);
    this.supply = make("div", "supply", this.element);
    this.supply.setAttribute("role", "group");
    for (const color of COLORS) {
      const line = make("div", "", this.supply);
      for (const kind of `K${[...KINDS].reverse().join("")}`) {
        const letter = colored(kind, color);
        const source = make("div", "", line);
        source.append(piece(letter));
        becomePlace(source, `supply:${letter}`);
      }
    }
  }

  makeCastling() {
    this.castling = make("fieldset", "castling", this.element);
    this.castlingTitle = make("legend", "", this.castling);
    this.sides = new Map();
    this.rights = new Map(Object.keys(HOMES).map((right) => {
      const color = right === right.toUpperCase() ? "white" : "black";
      if (!this.sides.has(color)) this.sides.set(color, make("span", "", this.castling));
      const label = make("label", "", this.castling);
      const box = make("input", "", label);
      make("span", "", label, right.toUpperCase() === "K" ? "O-O" : "O-O-O");
      box.type = "checkbox";
      box.addEventListener("change", () => this.draft.rights[box.checked ? "add" : "delete"](right));
      return [right, { box, color }];
    }));
  }

  makeEnd() {
    const line = make("div", "ending", this.element);
    this.turn = button("turn", line, () => {
      this.draft.turn = this.draft.turn === "white" ? "black" : "white";
      this.draw();
    });
    this.cancel = button("cancel", line, this.leave);
    this.save = button("save", line, () => this.send());
  }

  begin(board, revision) {
    this.newest = { board, revision };
    this.base = board.fen;
    this.revision = revision;
    this.stale = false;
    this.refused = false;
    this.chosen = null;
    this.draft = new Draft(board);
    this.draw(text("live.correct_how"));
  }

  /** What the program says meanwhile: a ply on the other board is no reason to refuse, one on this board is. */
  told(board, revision) {
    this.newest = { board, revision };
    if (board.fen === this.base) this.revision = revision;
    else if (!this.stale) this.warn();
    this.draw();
  }

  warn() {
    this.stale = true;
    say(this.says, text("live.moved_on"));
  }

  focus() {
    this.grid.element.querySelector("[tabindex='0']").focus({ preventScroll: true });
  }

  choose(place) {
    const from = this.chosen;
    this.chosen = null;
    if (!from) this.chosen = place;
    else if (from !== place) {
      const backwards = place.startsWith("supply") || !this.draft.at(from);
      return backwards ? this.move(place, from) : this.move(from, place);
    }
    const letter = this.draft.at(this.chosen);
    if (letter) this.draw(text("live.chosen", { man: man(letter) }));
    else this.draw(this.chosen && text("live.chosen_square", { square: place }));
  }

  move(from, to) {
    const letter = this.draft.at(from);
    this.chosen = null;
    const done = this.draft.move(from, to);
    const away = !to || to.startsWith("supply");
    if (done) this.draw(text(away ? "live.taken_off" : "live.placed", { man: man(letter), place: called(to) }));
    else this.draw(letter?.toUpperCase() === "K" && to?.includes(":") ? text("live.no_king_in_reserve") : "");
  }

  key(event) {
    const square = event.target.dataset?.place;
    if (event.key === "Escape") {
      // What was put right already is not thrown away by one key.
      if (!this.chosen && this.draft.fen() === this.base) return this.leave();
      this.chosen = null;
      this.draw();
    } else if (["Delete", "Backspace"].includes(event.key) && square && !square.startsWith("supply")) {
      this.move(square, null);
    } else if (event.key in STEPS && this.grid.squares.has(square)) {
      event.preventDefault();
      this.step(square, event.key);
    }
  }

  step(square, key) {
    const names = [...this.grid.squares.keys()];
    const at = names.indexOf(square);
    const sideways = key === "ArrowLeft" || key === "ArrowRight";
    const to = at + STEPS[key];
    if (!names[to] || (sideways && Math.floor(to / 8) !== Math.floor(at / 8))) return;
    this.grid.squares.get(square).tabIndex = -1;
    this.grid.squares.get(names[to]).tabIndex = 0;
    this.grid.squares.get(names[to]).focus();
  }

  async send() {
    this.save.disabled = true;
    // Who was told what happened meanwhile and saves again means it.
    const revision = this.refused ? this.newest.revision : this.revision;
    const answer = await command({ do: "set_position", board: this.name, fen: this.draft.fen(), revision });
    if (answer.ok) return this.leave();
    this.refused = answer.error === "stale";
    if (this.refused) this.warn();
    this.draw(this.refused ? undefined : refusal(answer.error));
  }

  draw(words) {
    const kings = this.draft.kings();
    if (words !== undefined) say(this.says, words || "");
    this.element.setAttribute("aria-label", text("live.correcting", { board: this.name }));
    this.supply.setAttribute("aria-label", text("live.supply"));
    this.grid.show(this.draft.letters(), this.draft.promoted());
    for (const color of COLORS) this.pockets[color].show(this.draft.pockets[color]);
    for (const target of this.element.querySelectorAll("[data-place]")) this.drawPlace(target);
    say(this.turn, text("live.turn", { color: text(`color.${this.draft.turn}`) }));
    this.turn.dataset.color = this.draft.turn;
    say(this.castlingTitle, text("live.castling"));
    for (const [color, words] of this.sides) say(words, text(`color.${color}`));
    for (const [right, { box, color }] of this.rights) {
      box.disabled = !this.draft.atHome(right);
      box.checked = this.draft.rights.has(right) && !box.disabled;
      box.setAttribute("aria-label", `${text(`color.${color}`)} ${box.nextSibling.textContent}`);
    }
    say(this.look, text("live.look"));
    this.look.hidden = !this.stale;
    say(this.cancel, text("live.cancel"));
    say(this.save, text(kings.length ? "live.one_king" : this.refused ? "live.save_anyway" : "live.save"));
    this.save.disabled = kings.length > 0;
  }

  drawPlace(target) {
    const { place: name } = target.dataset;
    const letter = this.draft.at(name);
    target.classList.toggle("chosen", name === this.chosen);
    target.setAttribute("aria-pressed", name === this.chosen);
    target.setAttribute("aria-label", this.spoken(name, letter));
  }

  spoken(name, letter) {
    if (name.startsWith("supply")) return text("live.from_supply", { man: man(letter) });
    if (this.grid.squares.has(name)) return `${name}: ${letter ? man(letter) : text("live.empty")}`;
    const [color, kind] = name.split(":");
    const count = this.draft.pockets[color][kind] ?? 0;
    return text("live.in_reserve", { color: text(`color.${color}`), man: man(colored(kind, color)), count });
  }
}

/** A place by the name the arbiter knows it by. */
function called(place) {
  return place?.includes(":") ? text("page.pocket") : place;
}

function becomePlace(target, name, tabIndex = 0) {
  target.dataset.place = name;
  target.tabIndex = tabIndex;
  target.setAttribute("role", "button");
}
