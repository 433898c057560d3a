// Games with counters. The program writes a counter as a pawn, P or p; on the pages it is a man of a kind of its own,
// C or c: drawn otherwise and called otherwise.

/** Whether counters stand on a board: chessmen are not counted. */
export function hasCounters(board) {
  return Boolean(board.score);
}

/** The snapshot with its counters as C and c. */
export function withCounters(snapshot) {
  for (const board of Object.values(snapshot.boards ?? {}).filter(hasCounters)) {
    board.placement = countersOf(board.placement);
    const missing = Object.entries(board.missing ?? {});
    board.missing = Object.fromEntries(missing.map(([square, pair]) => [square, pair.map(countersOf)]));
  }
  return snapshot;
}

function countersOf(letters) {
  return letters.replaceAll("P", "C").replaceAll("p", "c");
}

/** As the program writes it. */
export function pawnsOf(letters) {
  return letters.replaceAll("C", "P").replaceAll("c", "p");
}
