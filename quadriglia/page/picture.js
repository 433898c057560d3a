// The newest picture of a camera, fetched about once a second while someone can see it.

import { element, make, say } from "./dom.js";
import { text } from "./words.js";

const PAUSE = 1000;

export class LivePicture {
  constructor(board) {
    this.board = board;
    this.seen = false;
    this.next = null;
    this.element = element("div", "", "picture");
    this.image = make("img", "", this.element);
    this.image.hidden = true;
    this.none = make("p", "empty", this.element);
    new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting;
      this.fetch();
    }).observe(this.element);
    setInterval(() => this.fetch(), PAUSE);
  }

  /** `size`: pixels across and down, so that nothing moves when the first picture comes. */
  show(size) {
    if (size?.[0]) this.element.style.aspectRatio = `${size[0]} / ${size[1]}`;
    this.image.alt = text("live.picture", { board: this.board });
    say(this.none, text("live.no_picture"));
  }

  /** The new picture takes the old one's place when it is complete: nothing flickers. */
  fetch() {
    if (this.next || !this.seen || document.hidden) return;
    this.next = new Image();
    this.next.addEventListener("load", () => this.replace(this.next));
    this.next.addEventListener("error", () => this.replace(null));
    this.next.src = `/picture/${this.board}.jpg?${Date.now()}`;
  }

  replace(image) {
    this.next = null;
    this.none.hidden = Boolean(image);
    this.image.hidden = !image;
    if (!image) return;
    image.alt = this.image.alt;
    image.draggable = false;
    this.image.replaceWith(image);
    this.image = image;
  }
}
