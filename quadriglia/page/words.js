// The catalogues of both languages, fetched once, so that switching works even when the program has gone.

const LANGUAGES = ["en", "it"];
const KEY = "quadriglia.language";
const catalogues = {};
let language = remembered() ?? (navigator.language.toLowerCase().startsWith("it") ? "it" : "en");

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

function remembered() {
  try {
    const name = localStorage.getItem(KEY);
    return LANGUAGES.includes(name) ? name : null;
  } catch {
    return null;
  }
}
