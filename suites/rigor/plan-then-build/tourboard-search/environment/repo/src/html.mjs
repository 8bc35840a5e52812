// Text that is safe to be a part of a page.

class Safe {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(value) {
  if (value instanceof Safe) return value.text;
  if (Array.isArray(value)) return value.map(escaped).join("");
  if (value === null || value === undefined || value === false) return "";
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}

/** Tag of a template: what is put in is escaped, unless it comes from `html` itself. */
export function html(strings, ...values) {
  return new Safe(strings.reduce((text, part, index) => text + escaped(values[index - 1]) + part));
}

/** Takes text as it is. Only for text that was made by `html`. */
export function raw(text) {
  return new Safe(String(text));
}

/** Attributes of an element, with a blank before each. */
export function attributes(values) {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== false && value !== null && value !== undefined)
    .map(([name, value]) => (value === true ? html` ${name}` : html` ${name}="${value}"`));
  return raw(parts.join(""));
}
