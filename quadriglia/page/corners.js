// The four corners of a board, dragged on its picture by hand or moved by arrow keys.

import { element, make } from "./dom.js";
import { FILES } from "./grid.js";
import { text } from "./words.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SVG = "http://www.w3.org/2000/svg";

export class Corners {
  /** `side`: squares a side. `changed` is called when someone has moved a corner. */
  constructor(parent, side, changed) {
    const last = FILES[side - 1];
    this.names = [`a${side}`, last + side, `${last}1`, "a1"];
    this.changed = changed;
    this.moved = false;
    this.element = element("div", "", "corners");
    parent.append(this.element);
    const drawing = document.createElementNS(SVG, "svg");
    this.outline = document.createElementNS(SVG, "polygon");
    drawing.append(this.outline);
    drawing.setAttribute("preserveAspectRatio", "none");
    drawing.setAttribute("aria-hidden", "true");
    this.drawing = drawing;
    this.element.append(drawing);
    this.handles = this.names.map((name, index) => this.handle(name, index));
  }

  handle(name, index) {
    const made = make("button", "corner", this.element);
    make("span", "", made, name);
    made.type = "button";
    made.addEventListener("pointerdown", (event) => made.setPointerCapture(event.pointerId));
    made.addEventListener("pointermove", (event) => {
      if (!made.hasPointerCapture(event.pointerId)) return;
      const box = this.element.getBoundingClientRect();
      const [width, height] = this.size;
      this.put(index, [((event.clientX - box.x) / box.width) * width, ((event.clientY - box.y) / box.height) * height]);
    });
    made.addEventListener("keydown", (event) => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      this.put(index, this.points[index].map((value, axis) => value + STEPS[event.key][axis] * far));
    });
    return made;
  }

  /** `corners`: where the board is taken to lie, null when it was not found; what was moved by hand stays. */
  show(corners, size) {
    this.element.hidden = !size?.[0];
    if (!size?.[0]) return;
    this.size = size;
    if (!this.moved) this.points = corners ?? inset(size);
    this.element.classList.toggle("unknown", !corners && !this.moved);
    this.draw();
  }

  reset() {
    this.moved = false;
  }

  /** The same four points, each a corner on: White sits at another side than was thought. */
  turn() {
    this.moved = true;
    this.points = [...this.points.slice(-1), ...this.points.slice(0, -1)];
    this.draw();
    this.changed();
  }

  put(index, point) {
    this.moved = true;
    this.points = this.points.with(index, point.map((value, axis) => within(value, this.size[axis])));
    this.draw();
    this.changed();
  }

  draw() {
    const [width, height] = this.size;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.outline.setAttribute("points", this.points.map((point) => point.join(",")).join(" "));
    for (const [index, handle] of this.handles.entries()) {
      const [x, y] = this.points[index];
      handle.style.left = `${(x / width) * 100}%`;
      handle.style.top = `${(y / height) * 100}%`;
      handle.classList.toggle("below", y < height / 2);
      const values = { name: this.names[index], x: Math.round(x), y: Math.round(y) };
      handle.setAttribute("aria-label", text("setup.corner", values));
    }
  }
}

/** Where nobody knows better: a square in the middle. */
function inset([width, height]) {
  const half = 0.35 * Math.min(width, height);
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [width / 2 + x * half, height / 2 + y * half]);
}

function within(value, most) {
  return Math.round(Math.min(Math.max(value, 0), most) * 10) / 10;
}
