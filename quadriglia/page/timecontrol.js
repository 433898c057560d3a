// A time control as minutes and seconds a move, and as the program writes it: "180", "180+2", "180d2".

import { button, fill, make, offer, say } from "./dom.js";
import { complain, order } from "./program.js";
import { text } from "./words.js";

export class ControlPicker {
  /** `done` is called after the program has taken it. */
  constructor(parent, done = () => {}) {
    this.done = done;
    this.element = make("div", "control", parent);
    [this.minutes, this.minutesText] = this.field("1", "0.5");
    [this.seconds, this.secondsText] = this.field("0", "1");
    const label = make("label", "", this.element);
    this.kindText = make("span", "", label);
    this.kind = make("select", "", label);
    this.set = button("", this.element, () => this.send());
  }

  field(least, step) {
    const label = make("label", "", this.element);
    const words = make("span", "", label);
    const field = make("input", "", label);
    Object.assign(field, { type: "number", min: least === "1" ? "0.5" : least, step, autocomplete: "off" });
    return [field, words];
  }

  show(control) {
    say(this.minutesText, text("clock.minutes"));
    say(this.secondsText, text("clock.seconds"));
    say(this.kindText, text("clock.kind"));
    offer(this.kind, [["+", text("clock.kind.increment")], ["d", text("clock.kind.delay")]]);
    say(this.set, text("clock.set_control"));
    // What is being typed is not taken away by the next snapshot.
    if (!control || control === this.shown) return;
    this.shown = control;
    const [, main, kind, more] = control.match(/^([\d.]+)(?:([+d])([\d.]+))?$/) ?? [];
    fill(this.minutes, main ? String(Number(main) / 60) : "");
    fill(this.seconds, more ?? "0");
    this.kind.value = kind ?? "+";
  }

  async send() {
    const minutes = this.minutes.valueAsNumber;
    const seconds = this.seconds.valueAsNumber || 0;
    if (!(minutes > 0) || seconds < 0) return complain("control");
    const control = `${minutes * 60}${seconds ? this.kind.value + seconds : ""}`;
    const answer = await order({ do: "clock_control", control });
    return answer.ok && this.done();
  }
}
