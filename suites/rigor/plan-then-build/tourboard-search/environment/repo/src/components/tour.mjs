import { attributes, html } from "../html.mjs";
import { format } from "../router.mjs";

const LEVELS = ["", "easy", "medium", "hard"];

/** The page of a tour. */
export function tour({ tour, joined }) {
  const sign = { type: "button", "data-join": tour.id, "aria-pressed": String(joined) };
  return html`<p>${tour.region}, <time>${tour.date}</time>, ${LEVELS[tour.level]}</p>
<p>${tour.text}</p>
<p><button${attributes(sign)}>Sign up</button></p>
<p role="status">${joined ? "You are signed up." : ""}</p>
<p><a${attributes({ href: format({ name: "list" }) })}>All tours</a></p>`;
}
