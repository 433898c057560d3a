// Putting a board right: men or counters dragged or placed by hand, whose turn it is, and what may still castle.

import { Castling } from "./castling.js";
import { CounterDraft } from "./counterdraft.js";
import { hasCounters } from "./counters.js";
import { button, element, make, say } from "./dom.js";
import { draggable } from "./drag.js";
import { colored, Draft } from "./draft.js";
import { Grid, sideOf, turned } from "./grid.js";
import { piece } from "./pieces.js";
import { KINDS, Pocket } from "./pocket.js";
import { command, refusal } from "./program.js";
import { COLORS } from "./seats.js";
import { man, text } from "./words.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Editor {
  constructor(name, board, revision, leave) {
    this.name = name;
    this.leave = leave;
    this.counters = hasCounters(board);
    this.element = element("div", "", "editor");
    this.element.setAttribute("role", "group");
    const head = make("div", "head", this.element);
    this.says = make("p", "says", head);
    this.says.setAttribute("role", "status");
    this.look = button("look", head, () => this.begin(this.newest.board, this.newest.revision));
    this.makePlaces(sideOf(board.placement));
    if (!this.counters) this.castling = new Castling(this.element, () => this.draft);
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
  makePlaces(side) {
    const [top, bottom] = turned(this.name) ? ["white", "black"] : ["black", "white"];
    this.pockets = {};
    this.grid = new Grid(this.name, side);
    if (!this.counters) this.makePocket(top);
    this.element.append(this.grid.element);
    if (!this.counters) this.makePocket(bottom);
    for (const [square, cell] of this.grid.squares) becomePlace(cell, square, square === "e4" ? 0 : -1);
    this.makeSupply(this.counters ? "C" : `K${[...KINDS].reverse().join("")}`);
  }

  makePocket(color) {
    const pocket = new Pocket(color);
    this.pockets[color] = pocket;
    pocket.element.setAttribute("role", "group");
    make("div", "reserve", this.element).append(pocket.element);
    for (const [kind, { slot }] of pocket.slots) becomePlace(slot, `${color}:${kind}`);
  }

  makeSupply(kinds) {
    this.supply = make("div", "supply", this.element);
    this.supply.setAttribute("role", "group");
    for (const color of COLORS) {
      const line = make("div", "", this.supply);
      for (const kind of kinds) {
        const letter = colored(kind, color);
        const source = make("div", "", line);
        source.append(piece(letter));
        becomePlace(source, `supply:${letter}`);
      }
    }
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
    this.draft = this.counters ? new CounterDraft(board) : new Draft(board);
    this.draw(text(this.counters ? "live.correct_counters_how" : "live.correct_how"));
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
    else if (from === place && this.counters && this.grid.squares.has(place)) return this.flip(place);
    else if (from !== place) {
      const backwards = place.startsWith("supply") || !this.draft.at(from);
      return backwards ? this.move(place, from) : this.move(from, place);
    }
    const letter = this.draft.at(this.chosen);
    if (letter) this.draw(text("live.chosen", { man: man(letter) }));
    else this.draw(this.chosen && text("live.chosen_square", { square: place }));
  }

  flip(square) {
    if (!this.draft.at(square)) return this.draw("");
    this.draft.flip(square);
    return this.draw(text("live.placed", { man: man(this.draft.at(square)), place: called(square) }));
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
    const { side, squares } = this.grid;
    const names = [...squares.keys()];
    const at = names.indexOf(square);
    const [column, row] = [(at % side) + STEPS[key][0], Math.floor(at / side) + STEPS[key][1]];
    if (Math.min(column, row) < 0 || Math.max(column, row) >= side) return;
    const next = squares.get(names[row * side + column]);
    squares.get(square).tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
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
    const fault = this.draft.fault();
    if (words !== undefined) say(this.says, words || "");
    this.element.setAttribute("aria-label", text("live.correcting", { board: this.name }));
    this.supply.setAttribute("aria-label", text("live.supply"));
    this.grid.show(this.draft.letters(), this.draft.promoted());
    for (const [color, pocket] of Object.entries(this.pockets)) pocket.show(this.draft.pockets[color]);
    for (const target of this.element.querySelectorAll("[data-place]")) this.drawPlace(target);
    say(this.turn, text("live.turn", { color: text(`color.${this.draft.turn}`) }));
    this.turn.dataset.color = this.draft.turn;
    this.castling?.show(this.draft);
    say(this.look, text("live.look"));
    this.look.hidden = !this.stale;
    say(this.cancel, text("live.cancel"));
    say(this.save, text(fault || (this.refused ? "live.save_anyway" : "live.save")));
    this.save.disabled = Boolean(fault);
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
