// The page as something that one can use. See README.md.
import { page } from "./pages.mjs";
import { load, save } from "./persist.mjs";
import { reducer } from "./reducer.mjs";
import { format, parse } from "./router.mjs";
import { createStore } from "./store.mjs";

const NO_HISTORY = { push() {}, replace() {} };

export function createApp({ tours, url = "/tours", storage = null, history = NO_HISTORY }) {
  const store = createStore(reducer, load(storage));
  store.subscribe((state) => save(storage, state));
  let route = parse(url);

  return {
    get url() {
      return format(route);
    },
    html() {
      return String(page(route, tours, store.state));
    },
    go(target) {
      const next = parse(target);
      if (format(next) === format(route)) return;
      route = next;
      history.push(format(route));
    },
    popped(target) {
      route = parse(target);
    },
    join(id) {
      store.dispatch({ type: "joined", id });
    },
    leave(id) {
      store.dispatch({ type: "left", id });
    },
  };
}
