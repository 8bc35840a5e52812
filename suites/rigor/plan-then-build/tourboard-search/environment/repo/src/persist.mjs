// Keeps the state until the next visit. See docs/state.md.
import { EMPTY } from "./reducer.mjs";

const KEY = "tourboard";
const VERSION = 1;

function ids(value) {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}

function stored(storage) {
  try {
    const document = JSON.parse(storage.getItem(KEY));
    return document !== null && typeof document === "object" ? document : {};
  } catch {
    return {};
  }
}

/** What was kept; what cannot be read counts as nothing. */
export function load(storage) {
  const document = storage ? stored(storage) : {};
  if (!(document.version <= VERSION)) return EMPTY;
  return { ...EMPTY, joined: ids(document.joined) };
}

/** Keep a state, unless there is one of a later version, or no room for it. */
export function save(storage, state) {
  if (!storage || stored(storage).version > VERSION) return;
  try {
    storage.setItem(KEY, JSON.stringify({ version: VERSION, joined: state.joined }));
  } catch {
    // Full or forbidden: the page goes on without.
  }
}
