// Which component shows a route, and with what.
import { layout } from "./components/layout.mjs";
import { list } from "./components/list.mjs";
import { missing } from "./components/missing.mjs";
import { tour } from "./components/tour.mjs";
import { format } from "./router.mjs";
import { byDate, find } from "./tours.mjs";

/** The page of a route as `html`. */
export function page(route, tours, state) {
  if (route.name === "list") {
    const content = list({ tours: tours.toSorted(byDate), joined: state.joined });
    return layout({ title: "Tours", content });
  }
  const found = route.name === "tour" ? find(tours, route.id) : undefined;
  if (found === undefined) return layout({ title: "Not found", content: missing({ path: format(route) }) });
  return layout({ title: found.name, content: tour({ tour: found, joined: state.joined.includes(found.id) }) });
}
