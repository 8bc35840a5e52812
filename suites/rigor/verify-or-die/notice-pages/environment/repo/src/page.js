import { decode, encode } from "./cursor.js";
import { newestFirst } from "./order.js";

/**
 * One page of the list.
 *
 * `after` and `before` are cursors, of which at most one is given; `tag` leaves only the notices of that tag.
 * Returns {items, after, before}: the notices, the cursor that leads on and the one that leads back, or null.
 */
export function page(store, { limit, after = null, before = null, tag = null }) {
  const notices = store.all().sort(newestFirst);
  let start = 0;
  if (after) start = decode(after);
  if (before) start = Math.max(0, decode(before) - limit);
  const end = start + limit;
  const items = notices.slice(start, end).filter((notice) => tag === null || notice.tags.includes(tag));
  return {
    items,
    after: end <= notices.length ? encode(end) : null,
    before: start > 0 ? encode(start) : null,
  };
}
