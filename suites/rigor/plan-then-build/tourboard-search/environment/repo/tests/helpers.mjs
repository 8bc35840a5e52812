import { createApp } from "../src/index.mjs";

export const TOURS = [
  { id: "loop", name: "Lake loop", region: "Harz", date: "2024-06-08", level: 1, text: "Around the Oder lake." },
  { id: "peaks", name: "Three peaks", region: "Alps", date: "2024-07-20", level: 3, text: "Up early, down late." },
  { id: "mud", name: "Mud & tides", region: "Coast", date: "2024-05-11", level: 2, text: "To the <island>." },
];

/** An app with a storage and a history that can be looked into. */
export function visit(url = "/tours", kept = {}) {
  const history = [];
  const storage = { getItem: (key) => kept[key] ?? null, setItem: (key, text) => (kept[key] = text) };
  const app = createApp({
    tours: TOURS,
    url,
    storage,
    history: { push: (to) => history.push(["push", to]), replace: (to) => history.push(["replace", to]) },
  });
  return { app, history, kept };
}
