import { attributes, html } from "../html.mjs";
import { format } from "../router.mjs";

/** What is shown where there is nothing. */
export function missing({ path }) {
  return html`<p>There is no page ${path}.</p>
<p><a${attributes({ href: format({ name: "list" }) })}>All tours</a></p>`;
}
