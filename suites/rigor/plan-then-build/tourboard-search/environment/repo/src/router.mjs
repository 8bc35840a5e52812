// Routes and the URLs that stand for them. See docs/state.md.

const ORIGIN = "http://tourboard.invalid";

/** The route of a URL: `{name: "list"}`, `{name: "tour", id}` or `{name: "missing", path}`. */
export function parse(url) {
  const { pathname } = new URL(url, ORIGIN);
  if (pathname === "/" || pathname === "/tours") return { name: "list" };
  const match = /^\/tours\/([^/]+)$/.exec(pathname);
  if (match === null) return { name: "missing", path: pathname };
  try {
    return { name: "tour", id: decodeURIComponent(match[1]) };
  } catch {
    return { name: "missing", path: pathname };
  }
}

/** The URL of a route, in its one right form. */
export function format(route) {
  if (route.name === "list") return "/tours";
  if (route.name === "tour") return `/tours/${encodeURIComponent(route.id)}`;
  return route.path;
}
