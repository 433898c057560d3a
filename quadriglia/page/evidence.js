// An alert's picture or clip, large.

import { element, make } from "./dom.js";
import { playerText } from "./seats.js";
import { text } from "./words.js";

export function lookAt(dialog, alert, snapshot) {
  const stage = dialog.querySelector(".stage");
  stage.replaceChildren();
  if (alert.clip) {
    const clip = make("video", "", stage);
    Object.assign(clip, { controls: true, loop: true, muted: true, autoplay: true });
    clip.playsInline = true;
    if (alert.picture) clip.poster = `/evidence/${alert.id}.jpg`;
    clip.src = `/evidence/${alert.id}.mp4`;
  } else {
    const image = make("img", "", stage);
    image.alt = text("live.evidence");
    image.src = `/evidence/${alert.id}.jpg`;
  }
  const who = alert.seat ? `${playerText(snapshot, alert.seat)}: ` : "";
  stage.append(element("p", who + text(`alerts.${alert.kind}`)));
  if (alert.rule) stage.append(element("p", alert.rule, "rule"));
  dialog.showModal();
  // What is playing stops when nobody sees it.
  dialog.addEventListener("close", () => stage.replaceChildren(), { once: true });
}
