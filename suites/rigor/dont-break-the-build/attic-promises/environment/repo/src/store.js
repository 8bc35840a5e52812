"use strict";

const fs = require("fs");
const path = require("path");
const { AtticError } = require("./errors");
const { exists, readText, remove, writeWhole } = require("./files");
const { hashFile } = require("./hash");

const MARK = "attic 1\n";

class Store {
  constructor(dir) {
    this.dir = dir;
  }

  /** Where an object lies. */
  place(hash) {
    return path.join(this.dir, "objects", hash.slice(0, 2), hash.slice(2));
  }

  /** Whether there is an object. */
  has(hash, done) {
    exists(this.place(hash), done);
  }

  /** Keep a file: its hash, its size, and whether it is new here. */
  put(name, done) {
    hashFile(name, (error, hash, size) => {
      if (error) return done(error);
      this.has(hash, (known) => {
        if (known) return done(null, hash, size, false);
        fs.readFile(name, (error, data) => {
          if (error) return done(error);
          writeWhole(this.place(hash), data, (error) => {
            if (error) return done(error);
            done(null, hash, size, true);
          });
        });
      });
    });
  }

  /** Copy an object to a path, and see that it is what it was. */
  copyTo(hash, target, done) {
    const damaged = () => done(new AtticError("DAMAGED", `object ${hash.slice(0, 8)} is damaged`));
    fs.mkdir(path.dirname(target), { recursive: true }, (error) => {
      if (error) return done(error);
      fs.copyFile(this.place(hash), target, (error) => {
        if (error && error.code === "ENOENT") return damaged();
        if (error) return done(error);
        hashFile(target, (error, found) => {
          if (error) return done(error);
          if (found === hash) return done(null);
          remove(target, (error) => (error ? done(error) : damaged()));
        });
      });
    });
  }

  /** The hashes of all objects, sorted. */
  objects(done) {
    const root = path.join(this.dir, "objects");
    fs.readdir(root, { recursive: true, withFileTypes: true }, (error, entries) => {
      if (error && error.code === "ENOENT") return done(null, []);
      if (error) return done(error);
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".new"));
      done(null, files.map((entry) => path.basename(entry.path) + entry.name).sort());
    });
  }
}

/** The store in a directory; `options.create` makes it there. */
function openStore(dir, options, done) {
  const mark = path.join(dir, "attic");
  readText(mark, (error, text) => {
    if (!error && text === MARK) {
      if (options.create) return done(new AtticError("TAKEN", `${dir} is a store already`));
      return done(null, new Store(dir));
    }
    if (!options.create) return done(new AtticError("NO_STORE", `${dir} is no store`));
    writeWhole(mark, MARK, (error) => {
      if (error) return done(error);
      done(null, new Store(dir));
    });
  });
}

module.exports = { Store, openStore };
