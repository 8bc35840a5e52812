import { readFileSync } from "node:fs";

import { NoticeError } from "./errors.js";

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** The notices on the board, in no particular order. */
export class NoticeStore {
  #notices = new Map();

  /** Puts up a notice: {id, title, tags, postedAt}. */
  add(notice) {
    const { id, title, tags = [], postedAt } = notice;
    if (!Number.isSafeInteger(id) || id < 1) throw new NoticeError(`not an id: ${id}`);
    if (this.#notices.has(id)) throw new NoticeError(`there is a notice ${id} already`);
    if (typeof title !== "string" || title.trim() === "") throw new NoticeError(`notice ${id} has no title`);
    if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string" && tag !== "")) {
      throw new NoticeError(`notice ${id}: the tags must be texts`);
    }
    if (typeof postedAt !== "string" || !MOMENT.test(postedAt) || Number.isNaN(Date.parse(postedAt))) {
      throw new NoticeError(`notice ${id}: not a moment with a zone: ${postedAt}`);
    }
    this.#notices.set(id, Object.freeze({ id, title, tags: Object.freeze([...tags]), postedAt }));
  }

  /** Takes a notice down; false if there is none of this id. */
  remove(id) {
    return this.#notices.delete(id);
  }

  /** All notices, in an array that the caller may change. */
  all() {
    return [...this.#notices.values()];
  }
}

/** The notices of a file with one JSON object per line. */
export function load(path) {
  const store = new NoticeStore();
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((line, index) => {
      if (line.trim() === "") return;
      try {
        store.add(JSON.parse(line));
      } catch (error) {
        if (!(error instanceof NoticeError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
        throw new NoticeError(`${path}: line ${index + 1}: ${error.message}`);
      }
    });
  return store;
}
