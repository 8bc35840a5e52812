"use strict";

const { hashFile } = require("./hash");
const manifests = require("./manifest");
const { mapLimit } = require("./pool");

/** What is wrong with a store: a text for each object that a snapshot needs and that is missing or damaged. */
function verify(store, done) {
  manifests.names(store, (error, names) => {
    if (error) return done(error);
    mapLimit(
      names,
      1,
      (name, next) => manifests.read(store, name, next),
      (error, read) => {
        if (error) return done(error);
        const needed = new Map();
        for (const manifest of read) {
          for (const file of manifest.files) {
            if (!needed.has(file.hash)) needed.set(file.hash, `${manifest.name}: ${file.path}`);
          }
        }
        mapLimit(
          [...needed],
          4,
          ([hash, where], next) => check(store, hash, where, next),
          (error, problems) => {
            if (error) return done(error);
            done(null, problems.filter(Boolean));
          },
        );
      },
    );
  });
}

function check(store, hash, where, done) {
  store.has(hash, (there) => {
    if (!there) return done(null, `${where} is missing`);
    hashFile(store.place(hash), (error, found) => {
      if (error) return done(error);
      done(null, found === hash ? null : `${where} is damaged`);
    });
  });
}

module.exports = { verify };
