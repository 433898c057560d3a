// The catalogues of both languages, fetched once, so that switching works even when the program has gone.

import { say } from "./dom.js";

const LANGUAGES = ["en", "it"];
const KEY = "quadriglia.language";
const catalogues = {};
let language = asked() ?? remembered() ?? (navigator.language.toLowerCase().startsWith("it") ? "it" : "en");

export async function load() {
  const files = LANGUAGES.map(async (name) => {
    catalogues[name] = await (await fetch(`/catalogue/${name}.json`)).json();
  });
  await Promise.all(files);
}

/** The text of a key, its {names} filled in; the key itself where there is none. */
export function text(key, values = {}) {
  const found = catalogues[language][key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function has(key) {
  return key in catalogues[language];
}

/** What a FEN letter stands for: "white knight". */
export function man(letter) {
  return text(`live.man.${letter}`);
}

/** Minutes and seconds. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function otherLanguage() {
  return LANGUAGES.find((name) => name !== language);
}

export function setLanguage(name) {
  language = name;
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A browser may keep nothing: then the choice lasts until the page is closed.
  }
}

/** Writes every text that stands in the page itself, and the button for the other language. */
export function label(root = document) {
  document.documentElement.lang = text("language");
  for (const element of root.querySelectorAll("[data-text]")) say(element, text(element.dataset.text));
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
  }
  const button = document.querySelector("#language");
  if (!button) return;
  say(button, text("page.other_language"));
  button.lang = otherLanguage();
}

/** The button for the other language; `draw` draws the page anew. */
export function switchable(draw) {
  document.querySelector("#language").addEventListener("click", () => {
    setLanguage(otherLanguage());
    draw();
  });
}

/** A page that nobody touches, such as an overlay, is told its language in its address. */
function asked() {
  const name = new URLSearchParams(location.search).get("lang");
  return LANGUAGES.includes(name) ? name : null;
}

function remembered() {
  try {
    const name = localStorage.getItem(KEY);
    return LANGUAGES.includes(name) ? name : null;
  } catch {
    return null;
  }
}
