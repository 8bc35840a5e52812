// What can be asked of the tours.

export function byDate(one, other) {
  return one.date < other.date ? -1 : one.date > other.date ? 1 : 0;
}

export function find(tours, id) {
  return tours.find((tour) => tour.id === id);
}
