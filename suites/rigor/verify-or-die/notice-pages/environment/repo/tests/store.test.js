import assert from "node:assert/strict";
import { test } from "node:test";

import { NoticeError } from "../src/errors.js";
import { NoticeStore, load } from "../src/store.js";

const CAT = { id: 1, title: "Cat found", tags: ["cat"], postedAt: "2024-05-03T07:45:00+02:00" };

test("notices are put up and taken down", () => {
  const store = new NoticeStore();
  store.add(CAT);
  assert.deepEqual(store.all(), [CAT]);
  assert.equal(store.remove(1), true);
  assert.equal(store.remove(1), false);
  assert.deepEqual(store.all(), []);
});

test("notices that make no sense are refused", () => {
  const store = new NoticeStore();
  store.add(CAT);
  for (const change of [{}, { id: 0 }, { id: "2" }, { id: 2, title: " " }, { id: 2, tags: [1] }]) {
    assert.throws(() => store.add({ ...CAT, ...change }), NoticeError);
  }
  for (const postedAt of ["2024-05-03", "2024-05-03T07:45:00", "2024-13-03T07:45:00Z", 5]) {
    assert.throws(() => store.add({ ...CAT, id: 2, postedAt }), /not a moment/);
  }
});

test("a file of notices is loaded", () => {
  assert.equal(load("examples/notices.jsonl").all().length, 4);
  assert.throws(() => load("package.json"), /package.json: line 1/);
});
