import assert from "node:assert/strict";
import { test } from "node:test";

import { createApp } from "../src/index.mjs";
import { TOURS, visit } from "./helpers.mjs";

test("the list is in the order of the dates", () => {
  const names = [...visit().app.html().matchAll(/href="\/tours\/(\w+)"/g)].map((match) => match[1]);
  assert.deepEqual(names, ["mud", "loop", "peaks"]);
});

test("names and texts are escaped in pages", () => {
  assert.match(visit().app.html(), /Mud &amp; tides/);
  assert.match(visit("/tours/mud").app.html(), /To the &lt;island&gt;\./);
});

test("a page that is not there", () => {
  assert.match(visit("/tours/none").app.html(), /There is no page \/tours\/none\./);
});

test("following a link goes into the history", () => {
  const { app, history } = visit();
  app.go("/tours/loop");
  app.go("/tours/loop");
  assert.deepEqual(history, [["push", "/tours/loop"]]);
  app.popped("/tours");
  assert.equal(app.url, "/tours");
  assert.equal(history.length, 1);
});

test("signing up is shown and kept", () => {
  const { app, kept } = visit("/tours/loop");
  app.join("loop");
  assert.match(app.html(), /aria-pressed="true"/);
  assert.match(visit("/tours/loop", kept).app.html(), /You are signed up\./);
  app.leave("loop");
  assert.match(visit("/tours/loop", kept).app.html(), /aria-pressed="false"/);
});

test("a storage that cannot be read counts as empty", () => {
  for (const text of ["{", "null", "7", '{"version": 1, "joined": 3}']) {
    assert.match(visit("/tours/loop", { tourboard: text }).app.html(), /aria-pressed="false"/);
  }
});

test("what a later version kept is left alone", () => {
  const text = '{"version": 99, "joined": ["loop"]}';
  const { app, kept } = visit("/tours/loop", { tourboard: text });
  assert.match(app.html(), /aria-pressed="false"/);
  app.join("loop");
  assert.equal(kept.tourboard, text);
});

test("the page goes on when the storage is full", () => {
  const full = () => {
    throw new Error("full");
  };
  const app = createApp({ tours: TOURS, url: "/tours/loop", storage: { getItem: full, setItem: full } });
  app.join("loop");
  assert.match(app.html(), /You are signed up\./);
});
