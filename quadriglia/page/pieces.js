// The six chessmen and a counter, drawn for this page in a box of 100 by 100. Colours come from the style sheet.

const BASE = '<rect x="22" y="79" width="56" height="11" rx="4.5"/>';

const SHAPES = {
  P: `<path d="M43 47C43 60 30 65 28 79H72C70 65 57 60 57 47Z"/><circle cx="50" cy="35" r="14.5"/>${BASE}`,
  R: `<path d="M33 79 36.5 43H63.5L67 79Z"/>
      <path d="M28 19V38C28 41.5 30 43.5 33.5 43.5H66.5C70 43.5 72 41.5 72 38V19H61.5V27H55.5V19H44.5V27H38.5V19Z"/>
      ${BASE}`,
  N: `<path d="M29 79C29 67 46 62 47 49.5 42 53.5 37.5 53 33.5 58.5 30.5 62.5 25 62.5 22 58.5 18.5 54
      20 49.5 23 45.5 28.5 37.5 29.5 31 35 25.5 36 21 36.5 17 36 11.5 42 13.5 45.5 16.5 47.5 19
      65 19.5 77.5 36 77.5 58 77.5 66 76.5 73 75 79Z"/>
      <path class="line" d="M59 27.5C68 36.5 70 51 67.5 69"/>
      <circle class="dot" cx="39" cy="33.5" r="2.9"/><circle class="dot" cx="26.3" cy="52.5" r="1.7"/>${BASE}`,
  B: `<path d="M41 62C39 70 31 71 29 79H71C69 71 61 70 59 62Z"/>
      <path d="M50 20C40 28 32 38 32 48.5 32 57 39.5 62 50 62S68 57 68 48.5C68 38 60 28 50 20Z"/>
      <path class="line" d="M57.5 30.5 49 44.5"/><circle cx="50" cy="15.5" r="5.2"/>
      <rect x="36.5" y="59.5" width="27" height="6.5" rx="3.2"/>${BASE}`,
  Q: `<path d="M16 33 30.5 67H69.5L84 33 67 49 66.5 24 56.5 45.5 50 19 43.5 45.5 33.5 24 33 49Z"/>
      <circle cx="16" cy="30" r="4.8"/><circle cx="33.5" cy="20.5" r="4.8"/><circle cx="50" cy="15.5" r="4.8"/>
      <circle cx="66.5" cy="20.5" r="4.8"/><circle cx="84" cy="30" r="4.8"/>
      <path d="M30 67C31 72 29.5 75 27 79H73C70.5 75 69 72 70 67Z"/>${BASE}`,
  K: `<path d="M46 5.5H54V12H61V19.5H54V30H46V19.5H39V12H46Z"/>
      <path d="M50 37C53.5 29 63 26 71.5 30 82 35 83 48 75.5 57L69.5 67H30.5L24.5 57C17 48 18 35 28.5 30 37 26 46.5 29 50 37Z"/>
      <path class="line" d="M50 38.5V66"/>
      <path d="M30 67C31 72 29.5 75 27 79H73C70.5 75 69 72 70 67Z"/>${BASE}`,
  C: '<circle cx="50" cy="50" r="36.5"/><circle class="line" cx="50" cy="50" r="25"/>',
};

const SVG = "http://www.w3.org/2000/svg";

/** One piece as an SVG element. `letter`: a FEN letter, upper case for White. */
export function piece(letter) {
  const kind = letter.toUpperCase();
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 100");
  drawing.setAttribute("class", `piece ${letter === kind ? "white" : "black"}`);
  drawing.setAttribute("aria-hidden", "true");
  drawing.innerHTML = SHAPES[kind];
  return drawing;
}
