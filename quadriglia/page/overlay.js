// For OBS: boards, names, reserves, counters and clocks on nothing. `?layout=both|A|B|strip`, `&lang=it|en`.

import { Clocks, remaining } from "./clocks.js";
import { element, make, say } from "./dom.js";
import { Grid, lettersOf, sideOf, turned } from "./grid.js";
import { hasReserves, Pocket } from "./pocket.js";
import { listen } from "./program.js";
import { resultText } from "./result.js";
import { Score } from "./score.js";
import { numbered, seat, seatText } from "./seats.js";
import { load, text } from "./words.js";

const TICK = 100;
const LAYOUTS = ["both", "A", "B", "strip"];
const wanted = new URLSearchParams(location.search).get("layout");
const layout = LAYOUTS.includes(wanted) ? wanted : "both";
const clocks = new Clocks();
const boards = new Map();

class Board {
  constructor(name, side) {
    this.name = name;
    this.element = element("section", "", "match");
    const [top, bottom] = turned(name) ? ["white", "black"] : ["black", "white"];
    this.sides = [new Side(name, top, "top"), new Side(name, bottom, "bottom")];
    this.grid = new Grid(name, side);
    const line = element("p", "", "line");
    this.title = make("b", "", line);
    this.last = make("span", "newest", line);
    const middle = layout === "strip" ? [] : [this.grid.element];
    this.element.append(line, this.sides[0].element, ...middle, this.sides[1].element);
  }

  show(snapshot) {
    const board = snapshot.boards[this.name];
    const last = snapshot.moves.filter((move) => move.board === this.name).at(-1);
    say(this.title, text("page.board", { board: this.name }));
    say(this.last, last ? numbered(last) : "");
    this.grid.show(lettersOf(board.placement), board.promoted, board.last);
    for (const side of this.sides) side.show(snapshot, board);
  }
}

class Side {
  constructor(board, color, place) {
    this.board = board;
    this.color = color;
    this.element = element("div", "", `side ${place} ${color}`);
    const who = make("div", "who", this.element);
    this.name = make("b", "", who);
    this.waits = make("span", "waits", who);
    this.score = new Score(color);
    this.pocket = new Pocket(color);
    this.element.append(this.score.element, this.pocket.element);
    this.clock = make("span", "clock", this.element);
  }

  show(snapshot, board) {
    const called = snapshot.live?.players?.[this.board]?.[this.color];
    const turn = board.turn === this.color && ["ready", "running"].includes(board.state);
    say(this.name, called || seatText(seat(this.board, this.color), Object.keys(snapshot.boards).length));
    say(this.waits, text("overlay.waits"));
    this.waits.hidden = !(turn && board.state === "running" && board.waiting);
    this.element.classList.toggle("turn", turn);
    this.score.show(board);
    this.pocket.show(board.pockets[this.color]);
  }

  tick() {
    this.clock.hidden = !clocks.known(this.board);
    if (this.clock.hidden) return;
    const seconds = clocks.seconds(this.board, this.color);
    say(this.clock, remaining(seconds));
    this.clock.classList.toggle("runs", clocks.running(this.board) === this.color);
    this.clock.classList.toggle("flag", seconds === 0);
  }
}

function tick() {
  for (const { sides } of boards.values()) for (const side of sides) side.tick();
}

function draw(snapshot, connection) {
  // Only whoever sets the source up has to see this; a broken line is not for the public.
  const error = document.querySelector("#error");
  error.hidden = connection !== "forbidden";
  say(error, text("overlay.forbidden"));
  if (!snapshot?.boards) return;
  const names = Object.keys(snapshot.boards);
  document.body.classList.toggle("reserves", hasReserves(snapshot.game));
  for (const name of names.filter((name) => !LAYOUTS.slice(1, 3).includes(layout) || name === layout)) {
    if (!boards.has(name)) {
      boards.set(name, new Board(name, sideOf(snapshot.boards[name].placement)));
      document.querySelector("main").append(boards.get(name).element);
    }
    boards.get(name).show(snapshot);
  }
  document.body.dataset.boards = boards.size;
  const result = document.querySelector("#result");
  result.hidden = !snapshot.result;
  say(result, snapshot.result ? resultText(snapshot) : "");
  tick();
}

document.body.dataset.layout = layout;
await load();
document.documentElement.lang = text("language");
listen((snapshot, connection) => {
  clocks.tell(snapshot);
  draw(snapshot, connection);
});
setInterval(tick, TICK);
