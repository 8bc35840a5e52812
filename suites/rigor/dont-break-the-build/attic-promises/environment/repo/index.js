"use strict";

const { AtticError } = require("./src/errors");
const { openStore } = require("./src/store");
const { take } = require("./src/snapshot");
const { restore } = require("./src/restore");
const { compare } = require("./src/compare");
const { prune } = require("./src/prune");
const { verify } = require("./src/verify");

module.exports = { AtticError, openStore, take, restore, compare, prune, verify };
