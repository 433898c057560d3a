// One player's strip: name and seat, team, whose turn, counters, clock, pocket.

import { element, fill, make, say } from "./dom.js";
import { remaining } from "./clocks.js";
import { Pocket } from "./pocket.js";
import { order } from "./program.js";
import { Score } from "./score.js";
import { mate, renamed, seat, seatText } from "./seats.js";
import { text } from "./words.js";

export class Player {
  constructor(board, color, place) {
    this.board = board;
    this.color = color;
    this.element = element("div", "", `player ${place}`);
    const who = make("div", `seat ${color}`, this.element);
    this.name = make("input", "name", who);
    this.name.maxLength = 60;
    this.name.autocomplete = "off";
    this.name.spellcheck = false;
    this.name.addEventListener("change", () => this.rename());
    this.name.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.name.value = this.players?.[this.board]?.[this.color] ?? "";
      if (["Enter", "Escape"].includes(event.key)) this.name.blur();
    });
    this.sits = make("span", "sits", who);
    this.partner = make("span", "partner", who);
    this.score = new Score(color);
    this.element.append(this.score.element);
    this.clock = make("span", "clock", this.element);
    this.pocket = new Pocket(color);
    this.element.append(this.pocket.element);
  }

  show({ board, team, turn, live }) {
    const sits = seatText(seat(this.board, this.color), team ? 2 : 1);
    say(this.sits, sits);
    say(this.partner, team ? text("page.partner", { partner: text(`seat.${mate(this.board, this.color)}`) }) : "");
    this.name.hidden = !live;
    this.players = live?.players;
    fill(this.name, this.players?.[this.board]?.[this.color] ?? "");
    this.name.placeholder = text("live.name");
    this.name.setAttribute("aria-label", text("live.name_of", { seat: sits }));
    this.element.classList.toggle("turn", turn);
    this.element.title = turn ? text("page.to_move") : "";
    this.score.show(board);
    this.pocket.show(board.pockets[this.color]);
  }

  tick(clocks) {
    this.clock.hidden = !clocks.known(this.board);
    if (this.clock.hidden) return;
    const seconds = clocks.seconds(this.board, this.color);
    say(this.clock, remaining(seconds));
    this.clock.classList.toggle("runs", clocks.running(this.board) === this.color);
    this.clock.classList.toggle("flag", seconds === 0);
    this.clock.title = seconds === 0 ? text("clock.flag") : "";
  }

  async rename() {
    const old = this.players?.[this.board]?.[this.color] ?? "";
    const name = this.name.value.trim();
    if (name === old) return;
    const answer = await order({ do: "players", players: renamed(this.players, this.board, this.color, name) });
    if (!answer.ok) this.name.value = old;
  }
}
