"use strict";

const fs = require("fs");
const path = require("path");
const { AtticError } = require("./errors");
const { readText, writeWhole } = require("./files");
const { mapLimit } = require("./pool");

/** Where the manifest of a snapshot lies; a name that cannot be one is an error. */
function place(store, name) {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) throw new AtticError("NAME", `no name for a snapshot: ${name}`);
  return path.join(store.dir, "snapshots", name);
}

function format(manifest) {
  const lines = manifest.files.map((file) => `${file.hash} ${file.size} ${file.path}\n`);
  return `taken ${manifest.taken}\n\n${lines.join("")}`;
}

function parse(name, text) {
  const [head, body] = [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 2)];
  const files = body.split("\n").slice(0, -1).map((line) => {
    const match = /^([0-9a-f]{64}) (\d+) (.+)$/.exec(line);
    if (!match) throw new AtticError("DAMAGED", `snapshot ${name} is damaged`);
    return { path: match[3], hash: match[1], size: Number(match[2]) };
  });
  return { name, taken: head.replace("taken ", ""), files };
}

function read(store, name, done) {
  let file;
  try {
    file = place(store, name);
  } catch (error) {
    return done(error);
  }
  readText(file, (error, text) => {
    if (error && error.code === "ENOENT") return done(new AtticError("NO_SNAPSHOT", `no snapshot ${name}`));
    if (error) return done(error);
    let manifest;
    try {
      manifest = parse(name, text);
    } catch (error) {
      return done(error);
    }
    done(null, manifest);
  });
}

function write(store, manifest, done) {
  let file;
  try {
    file = place(store, manifest.name);
  } catch (error) {
    return done(error);
  }
  writeWhole(file, format(manifest), done);
}

/** The names of all snapshots, the oldest first; of one time by name. */
function names(store, done) {
  fs.readdir(path.join(store.dir, "snapshots"), (error, found) => {
    if (error && error.code === "ENOENT") return done(null, []);
    if (error) return done(error);
    const whole = found.filter((name) => !name.endsWith(".new")).sort();
    mapLimit(
      whole,
      4,
      (name, next) => read(store, name, next),
      (error, manifests) => {
        if (error) return done(error);
        manifests.sort((a, b) => (a.taken < b.taken ? -1 : a.taken > b.taken ? 1 : 0));
        done(null, manifests.map((manifest) => manifest.name));
      },
    );
  });
}

module.exports = { format, parse, place, read, write, names };
