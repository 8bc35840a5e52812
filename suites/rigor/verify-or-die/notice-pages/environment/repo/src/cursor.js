/** A place in the list as a text that can stand in a URL. */
export function encode(offset) {
  return Buffer.from(String(offset)).toString("base64");
}

/** The place that a cursor stands for. */
export function decode(cursor) {
  return Number(Buffer.from(cursor, "base64").toString());
}
