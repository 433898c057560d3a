// The set-up, step by step: cameras and boards, players, rules, clock, and in words what is still missing.

import { fill, make, offer, say } from "./dom.js";
import { sideOf } from "./grid.js";
import { hasReserves } from "./pocket.js";
import { listen, order } from "./program.js";
import { lacks } from "./ready.js";
import { COLORS, renamed, seat, seatText } from "./seats.js";
import { SetupCamera } from "./setupcamera.js";
import { ControlPicker } from "./timecontrol.js";
import { label, load, switchable, text } from "./words.js";

const $ = (selector) => document.querySelector(selector);
const cameras = new Map();
const names = new Map();
const control = new ControlPicker($("#control"));
let snapshot = null;
let connection = "lost";

function draw() {
  label();
  document.title = text("setup.title");
  say($("#state"), stateText());
  $("#state").dataset.kind = connection === "open" ? "" : "lost";
  $("main").hidden = !snapshot?.live;
  if (!snapshot?.live) return;
  const { live, boards } = snapshot;
  for (const board of Object.keys(boards)) {
    const side = sideOf(boards[board].placement);
    if (!cameras.has(board)) cameras.set(board, new SetupCamera(board, side, $("#cameras")));
    cameras.get(board).show(live.cameras?.[board], hasReserves(snapshot.game));
    for (const color of COLORS) nameField(board, color).show();
  }
  drawProfile();
  control.show(live.clocks?.control);
  say($("#now"), live.clocks ? text("setup.control_now", { control: live.clocks.control }) : "");
  drawReady();
}

function stateText() {
  if (connection === "forbidden") return text("live.error.forbidden");
  if (connection === "lost") return text("page.connecting");
  return text(snapshot?.boards && !snapshot.live ? "setup.not_live" : "setup.title");
}

/** One field a player, made when it is first needed. */
function nameField(board, color) {
  const key = board + color;
  if (!names.has(key)) {
    const line = make("label", "", $("#players"));
    const words = make("span", "", line);
    const field = make("input", "", line);
    Object.assign(field, { maxLength: 60, autocomplete: "off", spellcheck: false });
    field.addEventListener("change", () => {
      order({ do: "players", players: renamed(snapshot.live.players, board, color, field.value.trim()) });
    });
    names.set(key, {
      show() {
        say(words, seatText(seat(board, color), Object.keys(snapshot.boards).length));
        fill(field, snapshot.live.players?.[board]?.[color] ?? "");
      },
    });
  }
  return names.get(key);
}

function drawProfile() {
  const { profile, profiles } = snapshot.live;
  const select = $("#profile");
  offer(select, (profiles?.length ? profiles : [profile]).map((name) => [name, name]));
  fill(select, profile);
  select.disabled = !profiles?.length || snapshot.moves.length > 0;
}

function drawReady() {
  const said = Object.keys(snapshot.boards).flatMap((board) => {
    const wanting = lacks(snapshot.boards[board], snapshot.live.cameras?.[board]);
    const title = text("page.board", { board });
    if (!wanting.length) return [["done", text("setup.board_ready", { board })]];
    return wanting.map((words) => ["", `${title}: ${words}`]);
  });
  const { cameras: seen = {}, players = {}, clocks } = snapshot.live;
  mark("#cameras-title", Object.values(seen).every(({ state, found }) => state === "live" && found));
  mark("#players-title", Object.values(players).every((pair) => COLORS.every((color) => pair[color])));
  mark("#profile-title", true);
  mark("#clock-title", Boolean(clocks?.control));
  mark("#ready-title", said.every(([state]) => state));
  // A screen reader hears the list again only when it says something else.
  const list = $("#ready");
  if (list.dataset.said === JSON.stringify(said)) return;
  list.dataset.said = JSON.stringify(said);
  list.replaceChildren();
  for (const [state, words] of said) make("li", state, list, words);
}

function mark(title, done) {
  $(`${title} .mark`).classList.toggle("done", done);
}

await load();
$("#profile").addEventListener("change", async (event) => {
  event.target.blur();
  const answer = await order({ do: "profile", profile: event.target.value });
  if (!answer.ok) draw();
});
switchable(draw);
listen((told, state) => {
  snapshot = told;
  connection = state;
  draw();
});
