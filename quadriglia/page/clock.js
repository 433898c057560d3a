// The clock of one board, for a telephone or tablet beside it. The time is the program's: a reload loses nothing.

import { Clocks, remaining, secondsOf } from "./clocks.js";
import { make, say } from "./dom.js";
import { complain, listen, order } from "./program.js";
import { resultText } from "./result.js";
import { COLORS, seat, seatText } from "./seats.js";
import { ControlPicker } from "./timecontrol.js";
import { clock, label, load, switchable, text } from "./words.js";

const TICK = 50;
const $ = (selector) => document.querySelector(selector);
const board = location.pathname.split("/").at(-1) === "B" ? "B" : "A";
const KEY = `quadriglia.clock.${board}`;
const clocks = new Clocks();
const control = new ControlPicker($("#control"), () => $("#setting").close());
let snapshot = null;
let connection = "lost";
let swapped = remembered();

class Half {
  constructor(element) {
    this.element = element;
    this.name = make("span", "name", element);
    this.time = make("span", "time", element);
    this.flag = make("span", "flag", element);
    // A press counts when the finger comes down, as on a clock of wood.
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("keydown", (event) => {
      if (["Enter", " "].includes(event.key) && !event.repeat) this.press(event);
    });
  }

  /** Only who is in turn can press, and it shows at once: the program's answer may take a moment. */
  press(event) {
    event.preventDefault();
    keepAwake();
    if (clocks.running(board) !== this.color) return;
    clocks.hold(board);
    order({ do: "press", board, color: this.color }).then((answer) => {
      if (!answer.ok) clocks.release();
    });
  }

  show(color) {
    this.color = color;
    const called = snapshot?.live?.players?.[board]?.[color];
    const sits = seatText(seat(board, color), Object.keys(snapshot?.boards ?? {}).length);
    say(this.name, called ? `${called} · ${sits}` : sits);
    say(this.flag, text("clock.flag"));
    this.element.dataset.color = color;
    this.tick();
  }

  tick() {
    const known = clocks.known(board);
    const seconds = known ? clocks.seconds(board, this.color) : 0;
    const flagged = known && seconds === 0;
    say(this.time, known ? remaining(seconds) : "–:––");
    this.flag.hidden = !flagged;
    this.element.classList.toggle("runs", known && clocks.running(board) === this.color);
    this.element.classList.toggle("flagged", flagged);
  }
}

const far = new Half($(".far"));
const near = new Half($(".near"));

function draw() {
  label();
  document.title = text(board === "A" ? "clock.of_a" : "clock.of_b");
  const bottom = (board === "B") === swapped ? "white" : "black";
  near.show(bottom);
  far.show(bottom === "white" ? "black" : "white");
  say($("#run"), text(running() ? "clock.stop" : "clock.start"));
  $("#run").disabled = !clocks.known(board);
  say($("#state"), stateText());
  $("#state").hidden = !stateText();
  control.show(snapshot?.live?.clocks?.control);
}

/** Both boards' clocks are started and stopped together. */
function running() {
  return Object.keys(snapshot?.boards ?? {}).some((name) => clocks.running(name));
}

function stateText() {
  if (connection === "forbidden") return text("live.error.forbidden");
  if (connection === "lost") return text("page.connecting");
  return snapshot?.result ? resultText(snapshot) : "";
}

async function setTimes() {
  for (const color of COLORS) {
    const field = $(`#time-${color}`);
    if (field.value === field.dataset.was) continue;
    const seconds = secondsOf(field.value);
    if (seconds === null) return complain("seconds");
    const answer = await order({ do: "clock_set", board, color, seconds });
    if (!answer.ok) return undefined;
  }
  $("#setting").close();
  return undefined;
}

/** A clock whose screen goes dark is none. Not every browser offers this, and only to secure pages. */
async function keepAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Refused, for instance to save the battery.
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "turned";
  } catch {
    return false;
  }
}

$("#run").addEventListener("click", () => order({ do: running() ? "clock_stop" : "clock_start" }));
$("#turn").addEventListener("click", () => {
  swapped = !swapped;
  try {
    localStorage.setItem(KEY, swapped ? "turned" : "");
  } catch {
    // A browser may keep nothing: then it lasts until the page is closed.
  }
  draw();
});
$("#set").addEventListener("click", () => {
  if (!clocks.known(board)) return;
  for (const color of COLORS) {
    const field = $(`#time-${color}`);
    field.value = field.dataset.was = clock(clocks.seconds(board, color));
  }
  complain("");
  $("#setting").showModal();
});
$("#set-times").addEventListener("click", setTimes);
$("[data-close]").addEventListener("click", () => $("#setting").close());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) keepAwake();
});
await load();
switchable(draw);
listen((told, state) => {
  clocks.tell(told);
  snapshot = told;
  connection = state;
  draw();
});
keepAwake();
setInterval(() => {
  near.tick();
  far.tick();
}, TICK);
