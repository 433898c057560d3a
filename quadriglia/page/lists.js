// The score sheets, and what was passed on.

import { element } from "./dom.js";
import { piece } from "./pieces.js";
import { breakable } from "./seats.js";
import { clock, text } from "./words.js";

/** One score sheet a board, side by side. */
export function showMoves(parent, moves, names) {
  const sheets = names.map((name) => {
    const rows = new Map();
    for (const move of moves) {
      if (move.board !== name) continue;
      if (!rows.has(move.number)) rows.set(move.number, {});
      rows.get(move.number)[move.color] = move.san;
    }
    const table = element("table");
    const head = element("tr");
    head.append(element("th", ""), element("th", text("color.white")), element("th", text("color.black")));
    const caption = element("caption", text("page.board", { board: name }));
    const top = element("thead");
    top.append(head);
    const body = element("tbody");
    for (const [number, { white, black }] of rows) {
      const row = element("tr");
      row.append(element("th", `${number}.`), played(white ?? "…"), played(black ?? ""));
      body.append(row);
    }
    table.append(caption, top, body);
    return table;
  });
  refill(parent, sheets);
}

function played(san) {
  return element("td", breakable(san), san.includes("~") ? "long" : "");
}

export function showHandOvers(parent, handovers) {
  refill(parent, handovers.map(({ time, giver, taker, piece: letter }) => {
    const line = element("li");
    const white = taker.startsWith("White");
    const drawing = piece(white ? letter.toUpperCase() : letter.toLowerCase());
    const words = element("span", text("page.passed_on", { giver: text(`seat.${giver}`), taker: text(`seat.${taker}`) }));
    line.append(element("time", clock(time)), drawing, words);
    line.setAttribute("aria-label", `${text(`piece.${letter.toUpperCase()}`)}: ${words.textContent}`);
    return line;
  }), text("page.none_passed"));
}

/** Puts lines in place of the old ones if they differ, and keeps the newest in view unless someone scrolled up. */
function refill(parent, lines, empty) {
  const fresh = document.createElement("div");
  fresh.append(...(lines.length || !empty ? lines : [element("li", empty, "empty")]));
  if (parent.innerHTML === fresh.innerHTML) return;
  const atEnd = parent.scrollHeight - parent.scrollTop - parent.clientHeight < 40;
  parent.replaceChildren(...fresh.childNodes);
  if (atEnd) parent.scrollTop = parent.scrollHeight;
}
