export { createApp } from "./app.mjs";
export { attributes, html, raw } from "./html.mjs";
export { format, parse } from "./router.mjs";
