// One camera in the set-up: its picture with the board's corners, and where the board and the reserves lie.

import { cameraText, faultText } from "./cameras.js";
import { Corners } from "./corners.js";
import { button, element, make, say } from "./dom.js";
import { LivePicture } from "./picture.js";
import { order } from "./program.js";
import { text } from "./words.js";

const SIDES = ["h", "a"];

export class SetupCamera {
  /** `side`: squares a side. */
  constructor(board, side, parent) {
    this.board = board;
    this.element = make("article", "camera", parent);
    const head = make("p", "head", this.element);
    this.name = make("b", "", head);
    this.state = make("span", "pill", head);
    this.source = make("span", "how", head);
    this.picture = new LivePicture(board);
    this.element.append(this.picture.element);
    this.corners = new Corners(this.picture.element, side, () => this.showActs());
    this.way = make("p", "way", this.element);
    const acts = make("div", "acts", this.element);
    this.find = button("", acts, () => this.calibrate({}));
    this.turn = button("", acts, () => this.corners.turn());
    this.use = button("strong", acts, () => this.calibrate({ corners: this.corners.points }));
    this.back = button("", acts, () => {
      this.corners.reset();
      this.show(this.camera, this.reserves);
    });
    this.makeSides();
  }

  makeSides() {
    this.side = make("fieldset", "side", this.element);
    this.sideText = element("legend");
    this.side.append(this.sideText);
    this.sides = SIDES.map((side) => {
      const line = make("label", "", this.side);
      const choice = make("input", "", line);
      Object.assign(choice, { type: "radio", name: `side-${this.board}`, value: side });
      // The board stays where it is taken to lie: only without that it has to be looked for.
      choice.addEventListener("change", () => {
        const { corners } = this.camera;
        this.calibrate({ ...(corners && { corners: this.corners.points }), pockets: side });
      });
      return [side, choice, make("span", "", line)];
    });
  }

  show(camera, reserves) {
    this.camera = camera;
    this.reserves = reserves;
    this.element.dataset.state = camera?.state ?? "";
    say(this.name, text("live.camera", { board: this.board }));
    say(this.state, camera ? cameraText(camera) : text("setup.no_camera"));
    say(this.source, (camera && faultText(camera)) || text("setup.source", { source: camera?.source ?? "–" }));
    this.picture.show(camera?.size);
    this.corners.show(camera?.corners, camera?.size);
    const assumed = camera?.way === "assumed";
    this.way.hidden = !assumed;
    say(this.way, text("setup.way_assumed"));
    this.side.hidden = !reserves;
    say(this.sideText, text("setup.side"));
    for (const [side, choice, words] of this.sides) {
      if (document.activeElement !== choice) choice.checked = camera?.pockets === side;
      say(words, text("setup.file", { file: side }));
    }
    this.showActs();
  }

  showActs() {
    say(this.find, text("setup.find"));
    say(this.use, text("setup.use_corners"));
    say(this.back, text("setup.leave_corners"));
    this.use.hidden = this.back.hidden = !this.corners.moved;
    say(this.turn, text("setup.turn"));
    this.turn.disabled = !this.camera?.size?.[0];
    this.find.disabled = !this.camera;
  }

  async calibrate(more) {
    const laid = this.corners.points;
    const answer = await order({ do: "calibrate", board: this.board, ...more });
    // What was laid by hand while the answer was on its way stays.
    if (!answer.ok || this.corners.points !== laid) return;
    this.corners.reset();
    this.showActs();
  }
}
