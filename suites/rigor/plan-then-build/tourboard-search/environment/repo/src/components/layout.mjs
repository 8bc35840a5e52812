import { html } from "../html.mjs";

/** A whole page. */
export function layout({ title, content }) {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} - tourboard</title></head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}
