// What the visitor did.

export const EMPTY = Object.freeze({ joined: Object.freeze([]) });

function withId(list, id) {
  return list.includes(id) ? list : [...list, id];
}

function withoutId(list, id) {
  return list.includes(id) ? list.filter((other) => other !== id) : list;
}

function changed(state, name, list) {
  return list === state[name] ? state : { ...state, [name]: list };
}

export function reducer(state, action) {
  switch (action.type) {
    case "joined":
      return changed(state, "joined", withId(state.joined, action.id));
    case "left":
      return changed(state, "joined", withoutId(state.joined, action.id));
    default:
      return state;
  }
}
