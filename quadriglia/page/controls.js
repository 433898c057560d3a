// What the arbiter does with the whole match: pause, end, the sound of alerts.

import { offer, say } from "./dom.js";
import { order } from "./program.js";
import { teamText, winners } from "./result.js";
import { setSound, soundOn } from "./sound.js";
import { text } from "./words.js";

const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const REASONS = ["arbiter", "agreement", "resignation", "flag"];

export class Controls {
  constructor() {
    this.pause = document.querySelector("#pause");
    this.end = document.querySelector("#end");
    this.sound = document.querySelector("#sound");
    this.dialog = document.querySelector("#ending");
    this.result = document.querySelector("#result");
    this.reason = document.querySelector("#reason");
    this.pause.addEventListener("click", () => order({ do: this.paused ? "resume" : "pause" }));
    this.sound.addEventListener("click", () => {
      setSound(!soundOn());
      this.showSound();
    });
    this.end.addEventListener("click", () => this.dialog.showModal());
    document.querySelector("#ending-yes").addEventListener("click", () => {
      order({ do: "end", result: this.result.value, reason: this.reason.value });
      this.dialog.close();
    });
  }

  show(snapshot) {
    this.paused = snapshot.live.paused;
    say(this.pause, text(this.paused ? "live.resume" : "live.pause"));
    this.pause.classList.toggle("on", this.paused);
    this.pause.disabled = this.end.disabled = Boolean(snapshot.result);
    offer(this.result, RESULTS.map((result) => {
      const names = winners(snapshot.live.players, result);
      return [result, teamText(snapshot.boards, result) + (names ? ` (${names.join(", ")})` : "")];
    }));
    offer(this.reason, REASONS.map((reason) => [reason, text(`live.reason.${reason}`)]));
    this.showSound();
  }

  showSound() {
    say(this.sound, text(soundOn() ? "live.sound_on" : "live.sound_off"));
    this.sound.setAttribute("aria-pressed", soundOn());
  }
}
