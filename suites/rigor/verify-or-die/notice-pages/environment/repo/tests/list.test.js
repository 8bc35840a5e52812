import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { handle } from "../src/http.js";
import { NoticeList } from "../src/list.js";
import { renderList } from "../src/render.js";
import { load } from "../src/store.js";

function examples() {
  const store = load("examples/notices.jsonl");
  return new NoticeList(async (path) => handle(store, path), "/notices?limit=3");
}

test("the list loads page by page", async () => {
  const list = examples();
  await list.more();
  assert.deepEqual(list.items.map((notice) => notice.id), [4, 3, 2]);
  assert.equal(list.done, false);
  await list.more();
  assert.deepEqual(list.items.map((notice) => notice.id), [4, 3, 2, 1]);
  assert.equal(list.done, true);
});

test("the list is rendered with a button for more", async () => {
  const list = examples();
  await list.more();
  const html = renderList(list);
  assert.match(html, /Cat found \(grey, &lt;very&gt; friendly\)/);
  assert.match(html, /<a href="\?tag=road">road<\/a>/);
  assert.match(html, /<button>/);
  await list.more();
  assert.doesNotMatch(renderList(list), /<button>/);
});

test("the command line answers", () => {
  const run = (...args) => execFileSync("node", ["src/cli.js", ...args], { encoding: "utf8" });
  assert.equal(JSON.parse(run("get", "examples/notices.jsonl", "limit=1")).items[0].id, 4);
  assert.match(run("html", "examples/notices.jsonl"), /<ol>/);
});
