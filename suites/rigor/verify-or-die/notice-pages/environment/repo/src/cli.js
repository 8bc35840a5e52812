#!/usr/bin/env node
import { parseArgs } from "node:util";

import { NoticeError } from "./errors.js";
import { handle, serve } from "./http.js";
import { NoticeList } from "./list.js";
import { renderList } from "./render.js";
import { load } from "./store.js";

const USAGE = "usage: cli.js get FILE [QUERY] | html FILE | serve FILE [--port PORT]";

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: "string", default: "8020" } },
  });
  const [command, file, query] = positionals;
  if (!["get", "html", "serve"].includes(command) || !file) throw new NoticeError(USAGE);
  const store = load(file);
  if (command === "get") {
    const { status, body } = handle(store, `/notices?${query ?? ""}`);
    console.log(JSON.stringify(body, null, 2));
    process.exitCode = status === 200 ? 0 : 1;
  } else if (command === "html") {
    const list = new NoticeList(async (page) => handle(store, page));
    await list.more();
    console.log(renderList(list));
  } else {
    serve(store).listen(Number(values.port), "127.0.0.1");
  }
}

main().catch((error) => {
  console.error(`noticeboard: ${error.message}`);
  process.exitCode = 2;
});
