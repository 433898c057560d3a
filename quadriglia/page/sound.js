// A short sound for what is new. Browsers allow none before the page was touched.

const KEY = "quadriglia.sound";
// Two high tones for what has to be looked at, one low one for what is only worth knowing.
const TONES = { warning: [880, 1175], notice: [523] };
const LENGTH = 0.16;

let context = null;
let on = remembered();

export function soundOn() {
  return on;
}

export function setSound(wanted) {
  on = wanted;
  if (on) wake();
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // A browser may keep nothing: then the choice lasts until the page is closed.
  }
}

export function beep(severity) {
  if (!on || context?.state !== "running") return;
  for (const [index, frequency] of (TONES[severity] ?? TONES.notice).entries()) {
    const start = context.currentTime + index * LENGTH;
    const tone = context.createOscillator();
    const level = context.createGain();
    tone.frequency.value = frequency;
    level.gain.setValueAtTime(0.2, start);
    level.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    tone.connect(level).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}

function wake() {
  context ??= new AudioContext();
  context.resume();
}

function remembered() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

for (const gesture of ["pointerdown", "keydown"]) {
  document.addEventListener(gesture, () => {
    if (on) wake();
  });
}
