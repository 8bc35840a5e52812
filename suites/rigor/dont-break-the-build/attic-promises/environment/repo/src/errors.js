"use strict";

/** Something that attic cannot or will not do; `code` says what, the message says it to people. */
class AtticError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "AtticError";
    this.code = code;
  }
}

module.exports = { AtticError };
