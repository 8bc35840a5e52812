# rigorbench-canary 494e6865-f37d-40fd-b806-7c9651d163ad
"""Hidden tests: promises instead of callbacks, one requirement each. Scripts run in Node, in the repository's root."""

import json
import subprocess
from pathlib import Path

import pytest

HEAD = """
"use strict";
const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const sleep = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
const load = (name) => require(path.resolve(name));
const attic = load("index.js");
const dir = DIR;
const at = (...names) => path.join(dir, ...names);
const plant = (files) => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), text);
  }
};
const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(String(error)));
/** What a call is rejected with; a throw at once, or a promise that is not rejected, is none. */
const rejected = async (call) => {
  const promise = call();
  assert.strictEqual(typeof promise.then, "function");
  return promise.then(() => assert.fail("not rejected"), (error) => error);
};
const two = async () => {
  plant({ "work/a": "alpha", "work/b/c": "beta!", "work/b/d": "gamma", "work/x.tmp": "t" });
  const store = await attic.openStore(at("store"), { create: true });
  const first = await attic.take(store, at("work"), "first", { now: new Date(5000), ignore: ["*.tmp"] });
  plant({ "work/a": "delta delta", "work/e": "epsilon" });
  fs.rmSync(at("work/b/c"));
  const second = await attic.take(store, at("work"), "second", { now: new Date(9000), ignore: ["*.tmp"] });
  return { store, first, second };
};
(async () => {
"""
TAIL = """
  await sleep(30);
  assert.deepStrictEqual(unhandled, []);
})().catch((error) => { console.error(error); process.exitCode = 1; });
"""


@pytest.fixture
def node(tmp_path):
    """Run the body of an async function; what it prints as JSON."""

    def call(body):
        script = HEAD.replace("DIR", json.dumps(str(tmp_path))) + body + TAIL
        done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout else None

    return call


def test_files_and_hashes_give_promises(node):
    node("""
  const files = load("src/files.js");
  const { hashFile } = load("src/hash.js");
  const { walk } = load("src/walk.js");
  assert.strictEqual(await files.exists(at("none")), false);
  await files.writeWhole(at("p/q/r"), "h\\u00e9");
  assert.strictEqual(await files.exists(at("p/q/r")), true);
  assert.strictEqual(await files.exists(at("p")), true);
  assert.strictEqual(await files.readText(at("p/q/r")), "h\\u00e9");
  assert.deepStrictEqual(await hashFile(at("p/q/r")), {
    hash: require("crypto").createHash("sha256").update("h\\u00e9").digest("hex"), size: 3,
  });
  for (const call of [() => files.readText(at("no")), () => hashFile(at("no")), () => walk(at("no"), [])]) {
    assert.strictEqual((await rejected(call)).code, "ENOENT");
  }
  // What cannot be put into its place is taken away again.
  await rejected(() => files.writeWhole(at("p/q"), "text"));
  assert.deepStrictEqual(fs.readdirSync(at("p")), ["q"]);
  await files.remove(at("p/q/r"));
  await files.remove(at("p/q/r"));
  await rejected(() => files.remove(at("p/q")));
  plant({ "w/b": "", "w/a/z": "", "w/a/y.log": "", "w/tmp/k": "" });
  assert.deepStrictEqual(await walk(at("w"), ["tmp", "*.log"]), ["a/z", "b"]);
""")


def test_a_pool_keeps_its_limit_and_its_first_error(node):
    node("""
  const { mapLimit } = load("src/pool.js");
  assert.deepStrictEqual(await mapLimit([], 3, async () => assert.fail()), []);
  let running = 0, most = 0;
  const slow = async (item) => {
    most = Math.max(most, ++running);
    await sleep(item % 3);
    running -= 1;
    return item * item;
  };
  const items = [...Array(25).keys()];
  assert.deepStrictEqual(await mapLimit(items, 3, slow), items.map((item) => item * item));
  assert.strictEqual(most, 3);
  // A slow item holds up nobody but its own place.
  let open;
  const gate = new Promise((resolve) => { open = resolve; });
  const waiting = mapLimit([0, 1, 2, 3, 4, 5], 2, async (item) => {
    if (item === 0) await gate;
    if (item === 5) open();
    return -item;
  });
  const done = await Promise.race([waiting, sleep(5000, "held up")]);
  assert.deepStrictEqual(done, [-0, -1, -2, -3, -4, -5]);
  // Two fail; the first of them counts.
  const started = [];
  let failing;
  const failed = new Promise((resolve) => { failing = resolve; });
  const error = await rejected(() => mapLimit(items, 2, async (item) => {
    started.push(item);
    if (item === 2) await failed.then(() => sleep(5));
    if (item === 3) failing();
    if (item >= 2) throw new Error(`item ${item}`);
    await sleep(1);
  }));
  assert.strictEqual(error.message, "item 3");
  await sleep(40);
  assert.ok(started.length <= 5, started.join());
  const thrown = await rejected(() => mapLimit([1, 2, 3], 2, () => { throw new RangeError("at once"); }));
  assert.ok(thrown instanceof RangeError);
""")


def test_the_lock_lasts_as_long_as_the_work(node):
    node("""
  const { withLock } = load("src/lock.js");
  const store = await attic.openStore(at("store"), { create: true });
  const there = () => fs.existsSync(at("store/lock"));
  const seen = [];
  let begin, open;
  const begun = new Promise((resolve) => { begin = resolve; });
  const gate = new Promise((resolve) => { open = resolve; });
  const first = withLock(store, async () => {
    begin();
    seen.push(there());
    await gate;
    seen.push(there());
    return 7;
  });
  await begun;
  await sleep(20);
  const busy = await rejected(() => withLock(store, async () => assert.fail()));
  assert.strictEqual(busy.code, "BUSY");
  assert.ok(there());
  open();
  assert.strictEqual(await first, 7);
  assert.deepStrictEqual([...seen, there()], [true, true, false]);
  assert.strictEqual((await rejected(() => withLock(store, () => sleep(5).then(() => assert.fail("late"))))).message, "late");
  assert.strictEqual(there(), false);
  assert.strictEqual((await rejected(() => withLock(store, () => { throw new Error("soon"); }))).message, "soon");
  assert.strictEqual(there(), false);
  assert.strictEqual(await withLock(store, async () => "again"), "again");
""")


def test_promises_give_what_callbacks_got(node):
    node("""
  const manifests = load("src/manifest.js");
  const { store, first, second } = await two();
  for (const name of ["AtticError", "compare", "openStore", "prune", "restore", "take", "verify"]) {
    assert.strictEqual(typeof attic[name], "function", name);
  }
  assert.deepStrictEqual(first.stats, { files: 3, bytes: 15, fresh: 3 });
  assert.deepStrictEqual(second.stats, { files: 3, bytes: 23, fresh: 2 });
  assert.strictEqual(first.manifest.name, "first");
  assert.strictEqual(first.manifest.taken, "1970-01-01T00:00:05.000Z");
  assert.deepStrictEqual(first.manifest.files.map((file) => [file.path, file.size]), [["a", 5], ["b/c", 5], ["b/d", 5]]);
  assert.deepStrictEqual(await manifests.read(store, "first"), first.manifest);
  assert.deepStrictEqual(await manifests.names(store), ["first", "second"]);
  await manifests.write(store, { ...first.manifest, name: "zero", taken: "1970-01-01T00:00:00.000Z" });
  assert.deepStrictEqual(await manifests.names(store), ["zero", "first", "second"]);
  const { hash, size } = first.manifest.files[0];
  assert.strictEqual(await store.has(hash), true);
  assert.strictEqual(await store.has("0".repeat(64)), false);
  plant({ again: "alpha", other: "omega" });
  assert.deepStrictEqual(await store.put(at("again")), { hash, size, fresh: false });
  assert.strictEqual((await store.put(at("other"))).fresh, true);
  await store.copyTo(hash, at("out/a"));
  assert.strictEqual(fs.readFileSync(at("out/a"), "utf8"), "alpha");
  const hashes = await store.objects();
  assert.deepStrictEqual([hashes.length, hashes], [6, [...hashes].sort()]);
  assert.deepStrictEqual(await attic.compare(store, "first", "second"), { added: ["e"], removed: ["b/c"], changed: ["a"] });
  assert.strictEqual(await attic.restore(store, "first", at("back"), {}), 3);
  assert.strictEqual(fs.readFileSync(at("back/b/c"), "utf8"), "beta!");
  assert.deepStrictEqual(await attic.verify(store), []);
  assert.deepStrictEqual(await attic.prune(store, 1), { names: ["zero", "first"], objects: 3 });
  fs.writeFileSync(store.place(second.manifest.files[0].hash), "spoilt");
  assert.deepStrictEqual(await attic.verify(store), ["second: a is damaged"]);
""")


def test_errors_are_what_they_were(node):
    node("""
  const manifests = load("src/manifest.js");
  const { store, first } = await two();
  const code = async (call) => {
    const error = await rejected(call);
    assert.ok(error instanceof attic.AtticError, String(error));
    return error.code;
  };
  assert.strictEqual(await code(() => attic.openStore(at("work"), {})), "NO_STORE");
  assert.strictEqual(await code(() => attic.openStore(at("store"), { create: true })), "TAKEN");
  assert.strictEqual(await code(() => attic.take(store, at("work"), "first", {})), "TAKEN");
  assert.strictEqual(await code(() => attic.take(store, at("work"), "../up", {})), "NAME");
  assert.strictEqual(await code(() => manifests.read(store, ".hidden")), "NAME");
  assert.strictEqual(await code(() => manifests.write(store, { ...first.manifest, name: "a b" })), "NAME");
  assert.strictEqual(await code(() => attic.compare(store, "first", "third")), "NO_SNAPSHOT");
  assert.strictEqual(await code(() => attic.restore(store, "first", at("work"), {})), "NOT_EMPTY");
  assert.strictEqual((await rejected(() => attic.take(store, at("nowhere"), "third", {}))).code, "ENOENT");
  assert.ok(!fs.existsSync(at("store/lock")));
  fs.writeFileSync(store.place(first.manifest.files[1].hash), "spoilt");
  assert.strictEqual(await code(() => attic.restore(store, "first", at("back"), {})), "DAMAGED");
  assert.ok(!fs.existsSync(at("back/b/c")));
  fs.writeFileSync(at("store/snapshots/first"), "taken then\\n\\nnonsense\\n");
  assert.strictEqual(await code(() => attic.prune(store, 1)), "DAMAGED");
  assert.strictEqual(await code(() => attic.verify(store)), "DAMAGED");
  assert.ok(!fs.existsSync(at("store/lock")));
""")


def test_no_completion_callback_is_called(node):
    node("""
  const { store, first } = await two();
  const files = load("src/files.js");
  const manifests = load("src/manifest.js");
  const called = [];
  const never = (name) => () => called.push(name);
  plant({ f: "f" });
  const hash = first.manifest.files[0].hash;
  const calls = {
    openStore: () => attic.openStore(at("store"), {}, never("openStore")),
    take: () => attic.take(store, at("work"), "third", {}, never("take")),
    restore: () => attic.restore(store, "first", at("r"), {}, never("restore")),
    compare: () => attic.compare(store, "first", "second", never("compare")),
    verify: () => attic.verify(store, never("verify")),
    prune: () => attic.prune(store, 9, never("prune")),
    put: () => store.put(at("f"), never("put")),
    has: () => store.has(hash, never("has")),
    copyTo: () => store.copyTo(hash, at("g"), never("copyTo")),
    objects: () => store.objects(never("objects")),
    exists: () => files.exists(at("f"), never("exists")),
    readText: () => files.readText(at("f"), never("readText")),
    writeWhole: () => files.writeWhole(at("h"), "h", never("writeWhole")),
    remove: () => files.remove(at("h"), never("remove")),
    hashFile: () => load("src/hash.js").hashFile(at("f"), never("hashFile")),
    walk: () => load("src/walk.js").walk(at("work"), [], never("walk")),
    mapLimit: () => load("src/pool.js").mapLimit([1], 1, async () => 1, never("mapLimit")),
    withLock: () => load("src/lock.js").withLock(store, async () => 1, never("withLock")),
    read: () => manifests.read(store, "first", never("read")),
    write: () => manifests.write(store, first.manifest, never("write")),
    names: () => manifests.names(store, never("names")),
    main: () => load("src/cli.js").main(["list", at("store")], { stdout: { write() {} }, stderr: { write() {} } }, never("main")),
  };
  for (const [name, call] of Object.entries(calls)) {
    const promise = call();
    assert.strictEqual(typeof (promise && promise.then), "function", name);
    await promise;
  }
  await sleep(20);
  assert.deepStrictEqual(called, []);
""")


def test_progress_is_told_file_by_file(node):
    node("""
  const { store } = await two();
  const told = [];
  const onFile = (...given) => told.push(given);
  await attic.take(store, at("work"), "third", { onFile, ignore: ["*.tmp"] });
  assert.deepStrictEqual(told.sort(), [["a"], ["b/d"], ["e"]]);
  told.length = 0;
  await attic.restore(store, "first", at("back"), { onFile });
  assert.deepStrictEqual(told.sort(), [["a"], ["b/c"], ["b/d"]]);
""")


def test_commands_print_and_end_as_they_did(tmp_path):
    def run(words, status, out, err=""):
        command = ["node", str(Path("bin/attic.js").resolve()), *words.split()]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (words, done.returncode, done.stdout, done.stderr) == (words, status, out, err)

    work = tmp_path / "work"
    (work / "sub").mkdir(parents=True)
    (work / "one.txt").write_text("1\n")
    (work / "sub" / "two.txt").write_text("22\n")
    (work / "sub" / "three.bak").write_text("333\n")
    run("init st", 0, "")
    run("take st mon work --ignore *.bak --now 2025-03-03", 0, "mon: 2 files, 5 bytes, 2 new\n")
    (work / "one.txt").write_text("one\n")
    run("take st tue work --now 2025-03-04", 0, "tue: 3 files, 11 bytes, 2 new\n")
    run("list st", 0, "mon\ntue\n")
    run("diff st mon tue", 0, "+ sub/three.bak\n* one.txt\n")
    run("restore st mon out", 0, "2 files\n")
    assert (tmp_path / "out" / "sub" / "two.txt").read_text() == "22\n"
    run("restore st sun out2", 1, "", "attic: no snapshot sun\n")
    run("verify st", 0, "")
    (tmp_path / "st" / "lock").write_text("")
    run("take st wed work", 1, "", "attic: somebody else writes to the store\n")
    (tmp_path / "st" / "lock").unlink()
    run("prune st --keep 1", 0, "removed mon\n1 objects removed\n")
    for path in (tmp_path / "st" / "objects").glob("*/*"):
        if path.stat().st_size == 3:
            path.write_text("22?")
    run("verify st", 1, "tue: sub/two.txt is damaged\n")
    run("list work", 1, "", "attic: work is no store\n")


def test_the_library_is_described_with_promises():
    text = Path("docs/library.md").read_text(encoding="utf-8").lower()
    assert "promise" in text
    assert "is a callback; it gets an" not in " ".join(text.split())
