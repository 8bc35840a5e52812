import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { handle, serve } from "../src/http.js";
import { NoticeStore, load } from "../src/store.js";

function board(count) {
  const store = new NoticeStore();
  for (let id = 1; id <= count; id += 1) {
    store.add({ id, title: `Notice ${id}`, tags: [], postedAt: `2024-05-01T${String(id).padStart(2, "0")}:00:00Z` });
  }
  return store;
}

const ids = ({ body }) => body.items.map((notice) => notice.id);

test("the newest notices come first", () => {
  assert.deepEqual(ids(handle(board(5), "/notices")), [5, 4, 3, 2, 1]);
  assert.deepEqual(ids(handle(board(5), "/notices?limit=2")), [5, 4]);
});

test("next leads through all pages", () => {
  const store = board(5);
  const first = handle(store, "/notices?limit=2");
  const second = handle(store, first.body.next);
  const third = handle(store, second.body.next);
  assert.deepEqual([ids(first), ids(second), ids(third)], [[5, 4], [3, 2], [1]]);
  assert.equal(third.body.next, null);
});

test("previous leads back", () => {
  const store = board(5);
  const first = handle(store, "/notices?limit=2");
  assert.equal(first.body.previous, null);
  const second = handle(store, first.body.next);
  assert.deepEqual(ids(handle(store, second.body.previous)), [5, 4]);
});

test("a tag leaves its notices only", () => {
  const store = load("examples/notices.jsonl");
  assert.deepEqual(ids(handle(store, "/notices?tag=road")), [4, 1]);
});

test("a limit above a hundred is refused", () => {
  assert.equal(handle(board(1), "/notices?limit=101").status, 400);
});

test("there is nothing else", () => {
  assert.equal(handle(board(1), "/elsewhere").status, 404);
});

test("the server answers in JSON", async () => {
  const server = serve(board(1)).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = `http://127.0.0.1:${server.address().port}/notices`;
    const answer = await fetch(address);
    assert.equal(answer.status, 200);
    assert.equal((await answer.json()).items[0].title, "Notice 1");
    assert.equal((await fetch(address, { method: "POST" })).status, 405);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
