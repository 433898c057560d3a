// The score sheets, what was passed on, and the alerts.

import { piece } from "./pieces.js";
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
      row.append(element("th", `${number}.`), element("td", white ?? "…"), element("td", black ?? ""));
      body.append(row);
    }
    table.append(caption, top, body);
    return table;
  });
  refill(parent, sheets);
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

export function showAlerts(parent, alerts, boards) {
  refill(parent, alerts.map(({ time, board, seat, kind, withdrawn, san, piece: letter, square }) => {
    const line = element("li", "", withdrawn ? "withdrawn" : "");
    const player = seat && (boards === 2 ? `seat.${seat}` : `color.${seat.slice(0, 5).toLowerCase()}`);
    const who = player ? text(player) : text("page.board", { board });
    const about = san ?? [letter && text(`piece.${letter.toUpperCase()}`), square].filter(Boolean).join(" ");
    const words = text(`alerts.${kind}`) + (about && ` (${about})`);
    line.append(element("time", clock(time)), element("b", who), element("span", words));
    if (withdrawn) line.append(element("i", text("page.withdrawn")));
    return line;
  }), text("page.no_alerts"));
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

function element(tag, content = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = content;
  if (className) made.className = className;
  return made;
}
