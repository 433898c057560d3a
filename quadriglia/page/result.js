// How a match ended, in words.

import { has, text } from "./words.js";

export function resultText({ boards, live, result, reason }) {
  const names = winners(live?.players, result);
  const words = names ? text("live.win", { first: names[0], second: names[1] }) : teamText(boards, result);
  if (!reason) return words;
  return `${words} · ${text(has(`reason.${reason}`) ? `reason.${reason}` : `live.reason.${reason}`)}`;
}

/** "White A and Black B win", or "White wins" where there is one board. */
export function teamText(boards, result) {
  return text(`result.${"B" in boards ? "team" : "player"}.${result}`);
}

/** White's name of board A and Black's of board B, or the others'; null where not both are known. */
export function winners(players, result) {
  if (!["1-0", "0-1"].includes(result)) return null;
  const [first, second] = result === "1-0" ? ["white", "black"] : ["black", "white"];
  const names = [players?.A?.[first], players?.B?.[second]];
  return names.every(Boolean) ? names : null;
}
