// The cameras of a live match: their pictures, and in words how they are.

import { element, make, say } from "./dom.js";
import { LivePicture } from "./picture.js";
import { text } from "./words.js";

export class Cameras {
  constructor(parent) {
    this.parent = parent;
    this.cameras = new Map();
  }

  show(cameras) {
    for (const [board, camera] of Object.entries(cameras)) {
      if (!this.cameras.has(board)) this.cameras.set(board, new Camera(board, this.parent));
      this.cameras.get(board).show(camera);
    }
  }
}

class Camera {
  constructor(board, parent) {
    this.board = board;
    this.element = make("figure", "camera", parent);
    this.picture = new LivePicture(board);
    const words = element("figcaption");
    this.element.append(this.picture.element, words);
    this.name = make("b", "", words);
    this.state = make("span", "pill", words);
  }

  show(camera) {
    this.picture.show(camera.size);
    this.element.dataset.state = camera.state;
    say(this.name, text("live.camera", { board: this.board }));
    say(this.state, cameraText(camera));
  }
}

/** Why a camera gives no picture, as far as it says so; a recorded video only ends. */
export function faultText({ fault }) {
  return fault === "ended" ? text("live.video_ended") : fault ?? "";
}

/** How a camera is: its state, or that it works but has found no board. */
export function cameraText({ state, found }) {
  if (state === "live" && found === false) return text("live.board_not_found");
  return text(`live.camera_state.${state}`);
}
