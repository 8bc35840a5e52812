"use strict";

const { parseArgs } = require("util");
const { compare } = require("./compare");
const { names } = require("./manifest");
const { prune } = require("./prune");
const { restore } = require("./restore");
const { take } = require("./snapshot");
const { openStore } = require("./store");
const { verify } = require("./verify");

const USAGE = `usage: attic init STORE
       attic take STORE NAME ROOT [--ignore PATTERN]... [--now TIME]
       attic list STORE
       attic diff STORE FROM TO
       attic restore STORE NAME TARGET
       attic prune STORE --keep NUMBER
       attic verify STORE
`;
const WORDS = { init: 1, take: 3, list: 1, diff: 3, restore: 3, prune: 1, verify: 1 };

/** Run a command; gives the status with which the program ends. */
function main(argv, io, done) {
  let options, command, words;
  try {
    const parsed = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { ignore: { type: "string", multiple: true }, now: { type: "string" }, keep: { type: "string" } },
    });
    options = parsed.values;
    [command, ...words] = parsed.positionals;
  } catch {
    command = undefined;
  }
  const known = Object.hasOwn(WORDS, command || "") && words.length === WORDS[command];
  if (!known || (command === "prune" && !/^\d+$/.test(options.keep || ""))) {
    io.stderr.write(USAGE);
    return done(2);
  }
  const finish = (error, status) => {
    if (!error) return done(status);
    io.stderr.write(`attic: ${error.message}\n`);
    done(1);
  };
  openStore(words[0], { create: command === "init" }, (error, store) => {
    if (error) return finish(error);
    run(command, store, words.slice(1), options, io, finish);
  });
}

function run(command, store, words, options, io, done) {
  const print = (line) => io.stdout.write(`${line}\n`);
  if (command === "init") return done(null, 0);
  if (command === "take") {
    const now = options.now ? new Date(options.now) : new Date();
    return take(store, words[1], words[0], { ignore: options.ignore || [], now }, (error, manifest, stats) => {
      if (error) return done(error);
      print(`${manifest.name}: ${stats.files} files, ${stats.bytes} bytes, ${stats.fresh} new`);
      done(null, 0);
    });
  }
  if (command === "list") {
    return names(store, (error, found) => {
      if (error) return done(error);
      found.forEach(print);
      done(null, 0);
    });
  }
  if (command === "diff") {
    return compare(store, words[0], words[1], (error, changes) => {
      if (error) return done(error);
      changes.removed.forEach((file) => print(`- ${file}`));
      changes.added.forEach((file) => print(`+ ${file}`));
      changes.changed.forEach((file) => print(`* ${file}`));
      done(null, 0);
    });
  }
  if (command === "restore") {
    return restore(store, words[0], words[1], {}, (error, files) => {
      if (error) return done(error);
      print(`${files} files`);
      done(null, 0);
    });
  }
  if (command === "prune") {
    return prune(store, Number(options.keep), (error, gone, objects) => {
      if (error) return done(error);
      gone.forEach((name) => print(`removed ${name}`));
      print(`${objects} objects removed`);
      done(null, 0);
    });
  }
  verify(store, (error, problems) => {
    if (error) return done(error);
    problems.forEach(print);
    done(null, problems.length ? 1 : 0);
  });
}

module.exports = { main };
