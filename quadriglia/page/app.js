// Holds the newest snapshot and draws it; talks to the program; keeps the language.

import { BoardPanel } from "./board.js";
import { showAlerts, showHandOvers, showMoves } from "./lists.js";
import { clock, load, otherLanguage, setLanguage, text } from "./words.js";

const boards = document.querySelector("#boards");
const panels = new Map();
let snapshot = null;
let connected = false;
let spoken = 0;

function draw() {
  document.documentElement.lang = text("language");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  const button = document.querySelector("#language");
  button.textContent = text("page.other_language");
  button.lang = otherLanguage();
  showState();
  if (!snapshot?.boards) return;
  const names = Object.keys(snapshot.boards);
  document.body.dataset.boards = names.length;
  document.body.dataset.game = snapshot.game;
  for (const name of names) {
    if (!panels.has(name)) {
      panels.set(name, new BoardPanel(name, names.length));
      boards.append(panels.get(name).element);
    }
    panels.get(name).show(snapshot.boards[name], snapshot.moves.filter((move) => move.board === name));
  }
  showMoves(document.querySelector("#moves"), snapshot.moves, names);
  showHandOvers(document.querySelector("#handovers"), snapshot.handovers);
  showAlerts(document.querySelector("#alerts"), snapshot.alerts, names.length);
  document.querySelector(".passed").hidden = names.length < 2;
  speak();
}

/** One line over everything: not connected, who won, or whether the match runs. */
function showState() {
  const state = document.querySelector("#state");
  const [kind, words] = !snapshot?.boards
    ? ["lost", text(connected ? "page.starting" : "page.connecting")]
    : snapshot.result
      ? ["ended", result()]
      : snapshot.done
        ? ["ended", text("page.read_to_end")]
        : connected
          ? ["running", text("page.reading")]
          : ["lost", text("page.connecting")];
  state.dataset.kind = kind;
  if (state.textContent !== words) state.textContent = words;
  document.querySelector("#share").value = snapshot?.share ?? 0;
  document.querySelector("#share").setAttribute("aria-label", text("page.progress"));
  document.querySelector("#time").textContent = clock(snapshot?.time ?? 0);
}

function result() {
  const key = `result.${Object.keys(snapshot.boards).length === 2 ? "team" : "player"}.${snapshot.result}`;
  const reason = snapshot.reason && text(`reason.${snapshot.reason}`);
  return reason ? `${text(key)} · ${reason}` : text(key);
}

/** Tells a screen reader the newest move, and nothing of what was there before it came. */
function speak() {
  const { moves } = snapshot;
  if (spoken && moves.length > spoken) {
    const { board, san } = moves.at(-1);
    document.querySelector("#spoken").textContent = `${text("page.board", { board })}: ${san}`;
  }
  spoken = moves.length || 1;
}

function connect(wait = 500) {
  const socket = new WebSocket(`ws://${location.host}/ws`);
  socket.addEventListener("open", () => {
    connected = true;
    wait = 500;
  });
  socket.addEventListener("message", (message) => {
    snapshot = JSON.parse(message.data);
    draw();
  });
  socket.addEventListener("close", () => {
    connected = false;
    draw();
    setTimeout(connect, wait, Math.min(wait * 1.5, 5000));
  });
}

document.querySelector("#language").addEventListener("click", () => {
  setLanguage(otherLanguage());
  draw();
});

await load();
draw();
connect();
