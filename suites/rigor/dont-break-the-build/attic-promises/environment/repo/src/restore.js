"use strict";

const fs = require("fs");
const path = require("path");
const { AtticError } = require("./errors");
const manifests = require("./manifest");
const { mapLimit } = require("./pool");

/** Write the files of a snapshot into a directory that is empty or not there; gives how many. */
function restore(store, name, target, options, done) {
  manifests.read(store, name, (error, manifest) => {
    if (error) return done(error);
    fs.readdir(target, (error, found) => {
      if (error && error.code !== "ENOENT") return done(error);
      if (found && found.length) return done(new AtticError("NOT_EMPTY", `${target} is not empty`));
      mapLimit(
        manifest.files,
        4,
        (file, next) => {
          store.copyTo(file.hash, path.join(target, file.path), (error) => {
            if (error) return next(error);
            if (options.onFile) options.onFile(file.path);
            next(null);
          });
        },
        (error) => {
          if (error) return done(error);
          done(null, manifest.files.length);
        },
      );
    });
  });
}

module.exports = { restore };
