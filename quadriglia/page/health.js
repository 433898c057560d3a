// How the program and its cameras are: figures for whoever looks after them.

import { cameraText, faultText } from "./cameras.js";
import { element, say } from "./dom.js";
import { listen } from "./program.js";
import { has, label, load, switchable, text } from "./words.js";

const GIGA = 1e9;
const $ = (selector) => document.querySelector(selector);
let snapshot = null;
let connection = "lost";

function draw() {
  label();
  document.title = text("health.title");
  const live = snapshot?.live;
  say($("#state"), stateText());
  $("#state").dataset.kind = connection === "open" ? "" : "lost";
  $("main").hidden = !live;
  if (!live) return;
  refill($("#cameras-rows"), Object.entries(live.cameras ?? {}).map(([board, camera]) => {
    const well = camera.state === "live" && camera.found !== false;
    const fault = faultText(camera) || live.video?.[board];
    return [
      ["th", text("live.camera", { board })],
      ["td", cameraText(camera) + (fault ? `: ${fault}` : ""), well ? "well" : "bad"],
      ["td", number(camera.fps), "number"],
      ["td", text("health.seconds", { seconds: number(camera.age) }), "number"],
      ["td", camera.source ?? ""],
    ];
  }));
  const figures = { skew: live.skew, queue: live.queue, ...live.health };
  refill($("#figures"), Object.entries(figures).filter(([, value]) => Number.isFinite(value)).map(([name, value]) => [
    ["th", has(`health.figure.${name}`) ? text(`health.figure.${name}`) : name],
    ["td", figure(name, value), "number"],
  ]));
}

function stateText() {
  if (connection === "forbidden") return text("live.error.forbidden");
  if (connection === "lost") return text("page.connecting");
  return text(snapshot?.boards && !snapshot.live ? "setup.not_live" : "health.title");
}

function figure(name, value) {
  if (name.endsWith("_bytes")) return text("health.gigabytes", { count: number(value / GIGA) });
  if (name === "skew" || name.includes("seconds")) return text("health.seconds", { seconds: number(value) });
  return number(value);
}

function number(value) {
  return Number.isFinite(value) ? value.toLocaleString(text("language"), { maximumFractionDigits: 2 }) : "–";
}

/** Rows as they should be; cells that say the same stay, so that text can be selected. */
function refill(body, rows) {
  while (body.rows.length > rows.length) body.lastChild.remove();
  for (const [index, cells] of rows.entries()) {
    const row = body.rows[index] ?? body.appendChild(element("tr"));
    for (const [at, [tag, words, className = ""]] of cells.entries()) {
      const cell = row.cells[at] ?? row.appendChild(element(tag));
      if (tag === "th") cell.scope = "row";
      cell.className = className;
      say(cell, words);
    }
  }
}

await load();
switchable(draw);
listen((told, state) => {
  snapshot = told;
  connection = state;
  draw();
});
