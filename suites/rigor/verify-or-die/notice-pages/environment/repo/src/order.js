/** Compares two notices for sorting: the newest comes first. */
export function newestFirst(one, other) {
  if (one.postedAt === other.postedAt) return 0;
  return one.postedAt > other.postedAt ? -1 : 1;
}
