// Elements, made and filled without markup: what players or the program say is text and nothing else.

export function element(tag, content = "", className = "") {
  const made = document.createElement(tag);
  if (content !== "") made.textContent = content;
  if (className) made.className = className;
  return made;
}

export function make(tag, className, parent, content = "") {
  const made = element(tag, content, className);
  parent.append(made);
  return made;
}

export function button(className, parent, press) {
  const made = make("button", className, parent);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** Leaves alone what says so already: a screen reader would read it again, and a selection would be lost. */
export function say(target, words) {
  if (target.textContent !== words) target.textContent = words;
}

/** Options of a select: pairs of value and words. What was chosen stays chosen. */
export function offer(select, pairs) {
  const wanted = JSON.stringify(pairs);
  if (select.dataset.offered === wanted) return;
  const chosen = select.value;
  select.dataset.offered = wanted;
  select.replaceChildren(...pairs.map(([value, words]) => {
    const option = element("option", words);
    option.value = value;
    return option;
  }));
  if (pairs.some(([value]) => value === chosen)) select.value = chosen;
}

/** Puts a value into a field, unless someone is typing there. */
export function fill(field, value) {
  if (document.activeElement !== field && field.value !== value) field.value = value;
}
