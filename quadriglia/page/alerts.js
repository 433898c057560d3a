// What the arbiter is told: one card an alert, kept while it stands, with what can be seen of it and what to do.

import { button, element, make, say } from "./dom.js";
import { order } from "./program.js";
import { playerText } from "./seats.js";
import { beep } from "./sound.js";
import { clock, text } from "./words.js";

export class AlertList {
  /** `look(alert)` shows an alert's picture or clip large. */
  constructor(parent, look) {
    this.parent = parent;
    this.look = look;
    this.cards = new Map();
    this.empty = make("li", "empty", parent);
    this.heard = null;
  }

  show(snapshot) {
    const { alerts } = snapshot;
    this.hear(alerts);
    say(this.empty, text("page.no_alerts"));
    this.empty.hidden = alerts.length > 0;
    const wanted = new Set(alerts.map(keyOf));
    for (const [key, card] of this.cards) {
      if (wanted.has(key)) continue;
      card.element.remove();
      this.cards.delete(key);
    }
    for (const [index, alert] of alerts.entries()) {
      const key = keyOf(alert, index);
      if (!this.cards.has(key)) {
        const card = new Card(this.look);
        this.cards.set(key, card);
        // The newest stands on top: it must be seen without scrolling.
        this.parent.prepend(card.element);
      }
      this.cards.get(key).show(alert, snapshot);
    }
  }

  /** One sound for what came since the last snapshot; none for what was there when the page was opened. */
  hear(alerts) {
    const keys = new Set(alerts.map(keyOf));
    const fresh = alerts.filter((alert, index) => this.heard && !this.heard.has(keyOf(alert, index)) && isOpen(alert));
    this.heard = keys;
    if (fresh.length) beep(fresh.some(({ severity }) => severity === "warning") ? "warning" : "notice");
  }
}

export function isOpen({ status = "open", withdrawn }) {
  return status === "open" && !withdrawn;
}

function keyOf({ id }, index) {
  return id ?? `line ${index}`;
}

class Card {
  constructor(look) {
    this.element = element("li");
    this.thumbnail = button("thumbnail", this.element, () => look(this.alert));
    const words = make("div", "words", this.element);
    const head = make("p", "", words);
    this.time = make("time", "", head);
    this.severity = make("span", "severity", head);
    this.who = make("b", "", head);
    this.what = make("p", "", words);
    this.rule = make("p", "rule", words);
    this.acts = make("p", "acts", words);
    this.state = make("i", "", this.acts);
    this.buttons = Object.fromEntries(["accepted", "dismissed", "open"].map((status) => {
      return [status, button("", this.acts, () => order({ do: "alert", id: this.alert.id, status }))];
    }));
    this.clip = button("clip", this.acts, () => look(this.alert));
  }

  show(alert, snapshot) {
    this.alert = alert;
    const { time, board, seat, kind, withdrawn, san, piece, square, severity, rule, picture, clip, id } = alert;
    // How often alerts of this kind were right where that was measured.
    const { confidence } = alert;
    const sure = confidence ? text("live.confidence", { percent: Math.round(100 * confidence) }) : "";
    const status = alert.status ?? "open";
    this.element.classList.toggle("withdrawn", !isOpen(alert));
    this.element.dataset.severity = severity ?? "";
    say(this.time, clock(time));
    say(this.severity, severity ? text(`live.severity.${severity}`) : "");
    say(this.who, seat ? playerText(snapshot, seat) : text("page.board", { board }));
    const about = san ?? [piece && text(`piece.${piece.toUpperCase()}`), square].filter(Boolean).join(" ");
    say(this.what, text(`alerts.${kind}`) + (about && ` (${about})`));
    say(this.rule, [rule, sure].filter(Boolean).join(" · "));
    this.rule.hidden = !rule && !sure;
    say(this.state, withdrawn ? text("page.withdrawn") : status === "open" ? "" : text(`live.alert.${status}`));
    const live = snapshot.live && id !== undefined;
    for (const [name, press] of Object.entries(this.buttons)) {
      press.hidden = !live || (status === "open") === (name === "open");
      say(press, text({ accepted: "live.accept", dismissed: "live.dismiss", open: "live.reopen" }[name]));
    }
    say(this.clip, text("live.clip"));
    this.clip.hidden = !live || !clip;
    this.acts.hidden = !live && !withdrawn;
    this.showThumbnail(live && picture, id);
  }

  showThumbnail(picture, id) {
    this.thumbnail.hidden = !picture;
    this.thumbnail.setAttribute("aria-label", text("live.enlarge"));
    if (picture && !this.thumbnail.firstChild) {
      const image = make("img", "", this.thumbnail);
      image.alt = "";
      image.src = `/evidence/${id}.jpg`;
    }
  }
}
