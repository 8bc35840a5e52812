"use strict";

const crypto = require("crypto");
const fs = require("fs");

/** The SHA-256 of a file in hexadecimal digits, and its size. */
function hashFile(name, done) {
  const hash = crypto.createHash("sha256");
  let size = 0;
  const stream = fs.createReadStream(name);
  stream.on("data", (chunk) => {
    size += chunk.length;
    hash.update(chunk);
  });
  stream.on("error", (error) => done(error));
  stream.on("end", () => done(null, hash.digest("hex"), size));
}

module.exports = { hashFile };
