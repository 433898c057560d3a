// Men dragged by mouse, finger or pen between places, or chosen and placed by keyboard or by two taps.

import { piece } from "./pieces.js";

const STILL = 5;

/**
 * `root` holds elements with `data-place`. `holds(place)`: the letter of the man there, or null. `moved(from, to)`:
 * a man was dragged, to null where it was let go elsewhere. `chosen(place)`: a place was tapped, or Enter pressed.
 */
export function draggable(root, { holds, moved, chosen }) {
  let drag = null;

  root.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (!place || drag || event.button) return;
    drag = { place, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
    root.setPointerCapture(event.pointerId);
  });

  root.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > STILL;
    if (!drag.ghost && far && holds(drag.place)) drag.ghost = lift(root, drag.place, holds(drag.place));
    if (!drag.ghost) return;
    drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`;
    aim(root, under(root, event));
  });

  root.addEventListener("pointerup", (event) => {
    if (event.pointerId !== drag?.id) return;
    const { place, ghost } = drag;
    const to = under(root, event);
    end();
    if (ghost) moved(place, to);
    else if (to === place) {
      elementOf(root, place).focus();
      chosen(place);
    }
  });

  root.addEventListener("pointercancel", () => end());

  root.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    if (!place || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    chosen(place);
  });

  function end() {
    drag?.ghost?.remove();
    if (drag) elementOf(root, drag.place).classList.remove("lifted");
    aim(root, null);
    drag = null;
  }
}

function lift(root, place, letter) {
  const source = elementOf(root, place);
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.append(piece(letter));
  root.append(ghost);
  if (!place.startsWith("supply")) source.classList.add("lifted");
  return ghost;
}

function aim(root, place) {
  root.querySelector(".aimed")?.classList.remove("aimed");
  if (place) elementOf(root, place).classList.add("aimed");
}

function under(root, event) {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return found && root.contains(found) ? placeOf(found) : null;
}

function placeOf(target) {
  return target.closest("[data-place]")?.dataset.place ?? null;
}

function elementOf(root, place) {
  return root.querySelector(`[data-place="${place}"]`);
}
