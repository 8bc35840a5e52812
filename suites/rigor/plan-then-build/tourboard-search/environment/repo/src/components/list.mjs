import { attributes, html } from "../html.mjs";
import { format } from "../router.mjs";

/** The list of tours. */
export function list({ tours, joined }) {
  if (tours.length === 0) return html`<p class="empty">There are no tours.</p>`;
  return html`<ul class="tours">
${tours.map((tour) => entry(tour, joined.includes(tour.id)))}</ul>`;
}

function entry(tour, joined) {
  const link = { href: format({ name: "tour", id: tour.id }) };
  return html`<li${attributes({ class: joined && "joined" })}><a${attributes(link)}>${tour.name}</a> <time>${tour.date}</time></li>
`;
}
