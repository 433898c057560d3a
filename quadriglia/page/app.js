// The arbiter's page: holds the newest snapshot and draws it. Without a live match there is nothing to press.

import { AlertList, isOpen } from "./alerts.js";
import { BoardPanel } from "./board.js";
import { Cameras } from "./cameras.js";
import { Clocks } from "./clocks.js";
import { Controls } from "./controls.js";
import { say } from "./dom.js";
import { lookAt } from "./evidence.js";
import { sideOf } from "./grid.js";
import { showHandOvers, showMoves } from "./lists.js";
import { hasReserves } from "./pocket.js";
import { listen } from "./program.js";
import { resultText } from "./result.js";
import { clock, label, load, switchable, text } from "./words.js";

const TICK = 100;
const $ = (selector) => document.querySelector(selector);
const panels = new Map();
const clocks = new Clocks();
const controls = new Controls();
const cameras = new Cameras($("#cameras"));
const alerts = new AlertList($("#alerts"), (alert) => lookAt($("#evidence"), alert, snapshot));
let snapshot = null;
let connection = "lost";
let spoken = 0;

function draw() {
  label();
  showState();
  if (!snapshot?.boards) return;
  const names = Object.keys(snapshot.boards);
  const { live } = snapshot;
  document.body.dataset.boards = names.length;
  document.body.classList.toggle("reserves", hasReserves(snapshot.game));
  document.body.classList.toggle("live", Boolean(live));
  for (const part of document.querySelectorAll("[data-live]")) part.hidden = !live;
  for (const part of document.querySelectorAll("[data-two]")) part.hidden = names.length < 2;
  for (const name of names) {
    if (!panels.has(name)) {
      panels.set(name, new BoardPanel(name, names.length, sideOf(snapshot.boards[name].placement)));
      $("#boards").append(panels.get(name).element);
    }
    panels.get(name).show(snapshot);
  }
  if (live) {
    $("#fault").hidden = !live.fault;
    controls.show(snapshot);
    cameras.show(live.cameras ?? {});
  }
  showMoves($("#moves"), snapshot.moves, names);
  showHandOvers($("#handovers"), snapshot.handovers);
  alerts.show(snapshot);
  showOpen(live ? snapshot.alerts.filter(isOpen).length : 0);
  $(".passed").hidden = names.length < 2;
  tick();
  speak();
}

function tick() {
  for (const panel of panels.values()) panel.tick(clocks);
}

/** One line over everything: not connected, who won, or whether the match runs. */
function showState() {
  const [kind, words] = stateWords();
  $("#state").dataset.kind = kind;
  say($("#state"), words);
  $("#share").value = snapshot?.share ?? 0;
  $("#share").setAttribute("aria-label", text("page.progress"));
  $("#share").hidden = Boolean(snapshot?.live);
  say($("#time"), clock(snapshot?.time ?? 0));
}

function stateWords() {
  if (connection === "forbidden") return ["lost", text("live.error.forbidden")];
  if (!snapshot?.boards) return ["lost", text(connection === "open" ? "page.starting" : "page.connecting")];
  if (snapshot.result) return ["ended", resultText(snapshot)];
  if (snapshot.done) return ["ended", text("page.read_to_end")];
  if (connection === "lost") return ["lost", text("page.connecting")];
  if (snapshot.live?.paused) return ["paused", text("live.paused")];
  return ["running", text("page.reading")];
}

/** How many alerts wait for the arbiter: on a telephone their list is far below. */
function showOpen(count) {
  $("#open-alerts").hidden = !count;
  say($("#open-alerts"), text(count === 1 ? "alerts_count.one" : "alerts_count.many", { count }));
}

/** Tells a screen reader the newest move, and nothing of what was there before it came. */
function speak() {
  const { moves } = snapshot;
  if (spoken && moves.length > spoken) {
    const { board, san } = moves.at(-1);
    $("#spoken").textContent = `${text("page.board", { board })}: ${san}`;
  }
  spoken = moves.length || 1;
}

for (const press of document.querySelectorAll("[data-close]")) {
  press.addEventListener("click", () => press.closest("dialog").close());
}
await load();
switchable(draw);
listen((told, state) => {
  clocks.tell(told);
  snapshot = told;
  connection = state;
  draw();
});
setInterval(tick, TICK);
