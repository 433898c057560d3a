// What is not yet as it should be at the start, in words.

import { man, text } from "./words.js";

const MEN = /^[PNBRQKC]$/i;

/** "e2: a white pawn is missing"; `pair`: what should stand there and what is seen, "." for nothing. */
export function missingText(square, [wanted, seen]) {
  if (!MEN.test(wanted)) {
    return MEN.test(seen) ? text("live.missing.extra", { square, seen: man(seen) }) : text("live.missing.clear", { square });
  }
  if (seen === ".") return text("live.missing.absent", { square, wanted: man(wanted) });
  if (!MEN.test(seen)) return text("live.missing.unseen", { square, wanted: man(wanted) });
  return text("live.missing.other", { square, wanted: man(wanted), seen: man(seen) });
}

/** The first few of what is missing, and how many more. */
export function missingTexts(missing, most = 4) {
  const said = Object.entries(missing ?? {}).map(([square, pair]) => missingText(square, pair));
  if (said.length <= most) return said;
  return [...said.slice(0, most - 1), text("live.missing.more", { count: said.length - most + 1 })];
}
