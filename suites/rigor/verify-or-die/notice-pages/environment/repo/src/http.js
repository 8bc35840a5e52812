import { createServer } from "node:http";

import { BadRequest } from "./errors.js";
import { page } from "./page.js";

const DEFAULT_LIMIT = 20;

/** The answer {status, body} to a GET request for a path with its query. */
export function handle(store, path) {
  const url = new URL(path, "http://board.invalid");
  if (url.pathname !== "/notices") return { status: 404, body: { error: `no such resource: ${url.pathname}` } };
  try {
    return { status: 200, body: notices(store, url.searchParams) };
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { status: 400, body: { error: error.message } };
  }
}

function notices(store, query) {
  const limit = parseInt(query.get("limit"), 10) || DEFAULT_LIMIT;
  if (limit < 1 || limit > 100) throw new BadRequest("limit: expected a number from 1 to 100");
  const tag = query.get("tag");
  const found = page(store, { limit, tag, after: query.get("after"), before: query.get("before") });
  const link = (name, cursor) => {
    if (cursor === null) return null;
    const parameters = new URLSearchParams({ limit: String(limit), ...(tag === null ? {} : { tag }), [name]: cursor });
    return `/notices?${parameters}`;
  };
  return { items: found.items, next: link("after", found.after), previous: link("before", found.before) };
}

/** A server that answers from a store. */
export function serve(store) {
  return createServer((request, response) => {
    const { status, body } =
      request.method === "GET"
        ? handle(store, request.url)
        : { status: 405, body: { error: `not allowed: ${request.method}` } };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
}
