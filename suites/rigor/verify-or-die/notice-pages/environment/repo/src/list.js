/**
 * The list on the front page: `items` so far, and `done` when the last page is there.
 *
 * `get` requests a path and returns a promise of {status, body}.
 */
export class NoticeList {
  #get;
  #next;

  constructor(get, path = "/notices") {
    this.#get = get;
    this.#next = path;
    this.items = [];
    this.done = false;
  }

  /** Loads one more page. */
  async more() {
    const { body } = await this.#get(this.#next);
    this.items.push(...body.items);
    this.#next = body.next;
    this.done = body.next === null;
  }
}
