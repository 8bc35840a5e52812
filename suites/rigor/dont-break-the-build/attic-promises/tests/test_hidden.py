# rigorbench-canary 494e6865-f37d-40fd-b806-7c9651d163ad
"""Hidden tests: promises instead of callbacks, one requirement each.

Scripts run in Node, in the repository's root. They only tell what they see; what is right is known here alone.
"""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

HEAD = """
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const told = [];
const tell = (...values) => told.push(...values);
const fail = (why) => { throw new Error(why); };
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
  if (typeof promise.then !== "function") fail("no promise");
  return promise.then(() => ({ code: "not rejected", message: "not rejected" }), (error) => error);
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
  /** What JSON would lose: nothing at all, and the class of what is no plain object. */
  const named = function (key, value) {
    const own = this[key];
    if (own === undefined) return { undefined: true };
    if (typeof own !== "object" || own === null || Array.isArray(own)) return value;
    const kind = Object.getPrototypeOf(own);
    if (kind === null || kind === Object.prototype) return value;
    return { [own.constructor.name]: typeof value === "object" ? { ...own } : value };
  };
  process.stdout.write(JSON.stringify({ told, unhandled }, named));
})().catch((error) => { console.error(error); process.exitCode = 1; });
"""


@pytest.fixture
def node(tmp_path):
    """Run the body of an async function; the values that it tells."""

    def call(body):
        script = HEAD.replace("DIR", json.dumps(str(tmp_path))) + body + TAIL
        done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["unhandled"] == []
        return found["told"]

    return call


def test_files_and_hashes_give_promises(node):
    assert node("""
  const files = load("src/files.js");
  const { hashFile } = load("src/hash.js");
  const { walk } = load("src/walk.js");
  tell(await files.exists(at("none")));
  await files.writeWhole(at("p/q/r"), "h\\u00e9");
  tell(await files.exists(at("p/q/r")), await files.exists(at("p")), await files.readText(at("p/q/r")));
  tell(await hashFile(at("p/q/r")));
  for (const call of [() => files.readText(at("no")), () => hashFile(at("no")), () => walk(at("no"), [])]) {
    tell((await rejected(call)).code);
  }
  // What cannot be put into its place is taken away again.
  tell((await rejected(() => files.writeWhole(at("p/q"), "text"))).code === "not rejected");
  tell(fs.readdirSync(at("p")));
  await files.remove(at("p/q/r"));
  await files.remove(at("p/q/r"));
  tell((await rejected(() => files.remove(at("p/q")))).code === "not rejected");
  plant({ "w/b": "", "w/a/z": "", "w/a/y.log": "", "w/tmp/k": "" });
  tell(await walk(at("w"), ["tmp", "*.log"]));
""") == [
        False,
        *(True, True, "h\u00e9"),
        {"hash": hashlib.sha256("h\u00e9".encode()).hexdigest(), "size": 3},
        *("ENOENT", "ENOENT", "ENOENT"),
        *(False, ["q"], False),
        ["a/z", "b"],
    ]


def test_a_pool_keeps_its_limit_and_its_first_error(node):
    empty, squares, most, held, first, started, thrown = node("""
  const { mapLimit } = load("src/pool.js");
  tell(await mapLimit([], 3, async () => fail("called")));
  let running = 0, most = 0;
  const slow = async (item) => {
    most = Math.max(most, ++running);
    await sleep(item % 3);
    running -= 1;
    return item * item;
  };
  const items = [...Array(25).keys()];
  tell(await mapLimit(items, 3, slow), most);
  // A slow item holds up nobody but its own place.
  let open;
  const gate = new Promise((resolve) => { open = resolve; });
  const waiting = mapLimit([0, 1, 2, 3, 4, 5], 2, async (item) => {
    if (item === 0) await gate;
    if (item === 5) open();
    return -item;
  });
  tell(await Promise.race([waiting, sleep(5000, "held up")]));
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
  tell(error.message);
  await sleep(40);
  tell(started);
  const thrown = await rejected(() => mapLimit([1, 2, 3], 2, () => { throw new RangeError("at once"); }));
  tell([thrown instanceof RangeError, thrown.message]);
""")
    assert (empty, squares, most) == ([], [item * item for item in range(25)], 3)
    assert held == [0, -1, -2, -3, -4, -5]
    assert first == "item 3"
    assert started == list(range(len(started)))
    assert 4 <= len(started) <= 5
    assert thrown == [True, "at once"]


def test_the_lock_lasts_as_long_as_the_work(node):
    assert node("""
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
  const busy = await rejected(() => withLock(store, async () => fail("not locked")));
  tell(busy.code, there());
  open();
  tell(await first, [...seen, there()]);
  tell((await rejected(() => withLock(store, () => sleep(5).then(() => fail("late"))))).message, there());
  tell((await rejected(() => withLock(store, () => { throw new Error("soon"); }))).message, there());
  tell(await withLock(store, async () => "again"));
""") == ["BUSY", True, 7, [True, True, False], "late", False, "soon", False, "again"]


def test_promises_give_what_callbacks_got(node):
    exported, *stats, name, taken, files, reread, names, more, has, fresh, text, hashes, rest = node("""
  const manifests = load("src/manifest.js");
  const { store, first, second } = await two();
  tell(["AtticError", "compare", "openStore", "prune", "restore", "take", "verify"].map((name) => typeof attic[name]));
  tell(first.stats, second.stats, first.manifest.name, first.manifest.taken);
  tell(first.manifest.files.map((file) => [file.path, file.size]));
  tell([await manifests.read(store, "first"), first.manifest], await manifests.names(store));
  await manifests.write(store, { ...first.manifest, name: "zero", taken: "1970-01-01T00:00:00.000Z" });
  tell(await manifests.names(store));
  const { hash } = first.manifest.files[0];
  tell([hash, await store.has(hash), await store.has("0".repeat(64))]);
  plant({ again: "alpha", other: "omega" });
  tell([await store.put(at("again")), (await store.put(at("other"))).fresh]);
  await store.copyTo(hash, at("out/a"));
  tell(fs.readFileSync(at("out/a"), "utf8"), await store.objects());
  const rest = [await attic.compare(store, "first", "second"), await attic.restore(store, "first", at("back"), {})];
  rest.push(fs.readFileSync(at("back/b/c"), "utf8"), await attic.verify(store), await attic.prune(store, 1));
  fs.writeFileSync(store.place(second.manifest.files[0].hash), "spoilt");
  rest.push(await attic.verify(store));
  tell(rest);
""")
    alpha = hashlib.sha256(b"alpha").hexdigest()
    assert exported == ["function"] * 7
    assert stats == [{"files": 3, "bytes": 15, "fresh": 3}, {"files": 3, "bytes": 23, "fresh": 2}]
    assert (name, taken) == ("first", "1970-01-01T00:00:05.000Z")
    assert files == [["a", 5], ["b/c", 5], ["b/d", 5]]
    assert reread[0] == reread[1]
    assert reread[0]["files"][0]["hash"] == alpha
    assert (names, more) == (["first", "second"], ["zero", "first", "second"])
    assert has == [alpha, True, False]
    assert fresh == [{"hash": alpha, "size": 5, "fresh": False}, True]
    assert text == "alpha"
    contents = (b"alpha", b"beta!", b"gamma", b"delta delta", b"epsilon", b"omega")
    assert hashes == sorted(hashlib.sha256(content).hexdigest() for content in contents)
    assert rest == [
        {"added": ["e"], "removed": ["b/c"], "changed": ["a"]},
        *(3, "beta!", []),
        {"names": ["zero", "first"], "objects": 3},
        ["second: a is damaged"],
    ]


def test_errors_are_what_they_were(node):
    found = node("""
  const manifests = load("src/manifest.js");
  const { store, first } = await two();
  const code = async (call) => {
    const error = await rejected(call);
    tell([error instanceof attic.AtticError, error.code]);
  };
  await code(() => attic.openStore(at("work"), {}));
  await code(() => attic.openStore(at("store"), { create: true }));
  await code(() => attic.take(store, at("work"), "first", {}));
  await code(() => attic.take(store, at("work"), "../up", {}));
  await code(() => manifests.read(store, ".hidden"));
  await code(() => manifests.write(store, { ...first.manifest, name: "a b" }));
  await code(() => attic.compare(store, "first", "third"));
  await code(() => attic.restore(store, "first", at("work"), {}));
  tell((await rejected(() => attic.take(store, at("nowhere"), "third", {}))).code, fs.existsSync(at("store/lock")));
  fs.writeFileSync(store.place(first.manifest.files[1].hash), "spoilt");
  await code(() => attic.restore(store, "first", at("back"), {}));
  tell(fs.existsSync(at("back/b/c")));
  fs.writeFileSync(at("store/snapshots/first"), "taken then\\n\\nnonsense\\n");
  await code(() => attic.prune(store, 1));
  await code(() => attic.verify(store));
  tell(fs.existsSync(at("store/lock")));
""")
    before = ("NO_STORE", "TAKEN", "TAKEN", "NAME", "NAME", "NAME", "NO_SNAPSHOT", "NOT_EMPTY")
    damaged = [True, "DAMAGED"]
    assert found == [*([True, code] for code in before), "ENOENT", False, damaged, False, damaged, damaged, False]


def test_no_completion_callback_is_called(node):
    called, *calls = node("""
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
  const kinds = [];
  for (const [name, call] of Object.entries(calls)) {
    const promise = call();
    kinds.push([name, typeof (promise && promise.then)]);
    await promise;
  }
  await sleep(20);
  tell(called, ...kinds);
""")
    assert called == []
    assert len(calls) == 22
    assert {kind for _, kind in calls} == {"function"}


def test_progress_is_told_file_by_file(node):
    assert node("""
  const { store } = await two();
  const files = [];
  const onFile = (...given) => files.push(given);
  await attic.take(store, at("work"), "third", { onFile, ignore: ["*.tmp"] });
  tell(files.sort().slice());
  files.length = 0;
  await attic.restore(store, "first", at("back"), { onFile });
  tell(files.sort());
""") == [[["a"], ["b/d"], ["e"]], [["a"], ["b/c"], ["b/d"]]]


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


def test_the_library_is_described_with_promises(node):
    # What describes a library that does not exist describes nothing.
    assert node("""
  tell(await attic.openStore(at("store"), { create: true }).then(() => "promise"));
""") == ["promise"]
    text = Path("docs/library.md").read_text(encoding="utf-8").lower()
    assert "promise" in text
    assert "is a callback; it gets an" not in " ".join(text.split())
