// One board with both players, what was played last and, in a live match, what the arbiter can do about it.

import { button, make, say } from "./dom.js";
import { Editor } from "./editor.js";
import { Grid, lettersOf, turned } from "./grid.js";
import { missingTexts } from "./missing.js";
import { Player } from "./player.js";
import { order } from "./program.js";
import { breakable, numbered } from "./seats.js";
import { text } from "./words.js";

export class BoardPanel {
  /** `side`: squares a side. */
  constructor(name, boards, side) {
    this.name = name;
    this.team = boards === 2;
    this.editor = null;
    this.element = document.createElement("section");
    this.element.className = "panel";
    this.title = make("h2", "", this.element);
    this.title.id = `board-${name}`;
    this.element.setAttribute("aria-labelledby", this.title.id);
    const line = make("p", "now", this.element);
    this.newest = make("strong", "newest", line);
    this.provisional = make("em", "provisional", line);
    this.state = make("span", "pill", line);
    const [top, bottom] = turned(name) ? ["white", "black"] : ["black", "white"];
    this.players = { [top]: new Player(name, top, "top"), [bottom]: new Player(name, bottom, "bottom") };
    this.grid = new Grid(name, side);
    this.grid.element.setAttribute("role", "img");
    this.table = make("div", "table", this.element);
    this.table.append(this.players[top].element, this.grid.element, this.players[bottom].element);
    this.missing = make("ul", "missing", this.table);
    this.tools = make("div", "tools", this.element);
    this.choices = make("div", "choices", this.tools);
    this.choices.setAttribute("role", "group");
    this.undo = button("undo", this.tools, () => this.takeBack());
    this.edit = button("edit", this.tools, () => this.correct());
  }

  show(snapshot) {
    const board = snapshot.boards[this.name];
    this.snapshot = snapshot;
    say(this.title, text("page.board", { board: this.name }));
    this.element.dataset.state = board.state;
    this.showNewest(board, snapshot.moves.filter((move) => move.board === this.name).at(-1));
    for (const [color, player] of Object.entries(this.players)) {
      const turn = board.turn === color && ["ready", "running"].includes(board.state);
      player.show({ board, team: this.team, turn, live: snapshot.live });
    }
    this.grid.show(lettersOf(board.placement), board.promoted, board.last);
    this.grid.mark("guess", (board.provisional ?? []).flatMap(target));
    this.grid.mark("wanting", board.state === "waiting" ? Object.keys(board.missing ?? {}) : []);
    this.grid.element.setAttribute("aria-label", `${this.title.textContent}. ${this.grid.spoken()}`);
    this.showMissing(board);
    this.showTools(board, snapshot);
    this.editor?.told(board, snapshot.revision);
  }

  tick(clocks) {
    for (const player of Object.values(this.players)) player.tick(clocks);
  }

  showNewest(board, last) {
    say(this.newest, last ? numbered(last) : "");
    this.newest.title = this.newest.textContent;
    say(this.provisional, board.provisional?.length ? `${board.provisional.join(" ")}?` : "");
    this.provisional.title = text("live.provisional");
    const either = (board.explanations ?? []).map((sans) => sans.join(" ")).join(` ${text("page.or")} `);
    this.state.title = either;
    say(this.state, text(`state.${board.state}`) + (either && !this.snapshot.live ? `: ${either}?` : ""));
  }

  showMissing(board) {
    const said = board.state === "waiting" ? missingTexts(board.missing) : [];
    this.missing.hidden = !said.length;
    const wanted = said.join("\n");
    if (this.missing.dataset.said === wanted) return;
    this.missing.dataset.said = wanted;
    this.missing.replaceChildren();
    for (const words of said) make("li", "", this.missing, words);
  }

  showTools(board, snapshot) {
    this.tools.hidden = !snapshot.live;
    if (!snapshot.live) return;
    say(this.undo, text("live.undo"));
    this.undo.disabled = !snapshot.moves.some((move) => move.board === this.name);
    say(this.edit, text("live.correct"));
    const explanations = board.state === "unsure" ? board.explanations ?? [] : [];
    this.choices.hidden = !explanations.length;
    // Buttons stay while they say the same: one that is being pressed must not be replaced.
    const wanted = JSON.stringify([text("language"), explanations]);
    if (this.choices.dataset.said === wanted) return;
    this.choices.dataset.said = wanted;
    this.choices.replaceChildren();
    make("span", "", this.choices, text("live.which"));
    this.choices.setAttribute("aria-label", text("live.which"));
    for (const [number, sans] of explanations.entries()) {
      const choice = button("choice", this.choices, () => this.choose(number));
      choice.textContent = sans.map(breakable).join(" ") || text("live.nothing_played");
    }
  }

  takeBack() {
    return order({ do: "undo", board: this.name, revision: this.snapshot.revision });
  }

  choose(number) {
    return order({ do: "choose", board: this.name, number, revision: this.snapshot.revision });
  }

  /** The position in a draft of its own, which nothing that comes from the program disturbs. */
  correct() {
    this.editor = new Editor(this.name, this.snapshot.boards[this.name], this.snapshot.revision, () => this.leave());
    this.element.classList.add("correcting");
    this.element.append(this.editor.element);
    this.editor.focus();
    if (this.element.getBoundingClientRect().top < 0) this.element.scrollIntoView();
  }

  leave() {
    this.editor.element.remove();
    this.editor = null;
    this.element.classList.remove("correcting");
    this.edit.focus();
  }
}

/** The square a move in SAN ends on; castling names none. Squares after "~" are of counters that were turned. */
function target(san) {
  return san.split("~")[0].match(/[a-h][1-8]/g)?.slice(-1) ?? [];
}
