const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text) {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]);
}

/** The HTML of one notice. */
export function renderNotice({ id, title, tags, postedAt }) {
  const marks = tags.map((tag) => `<a href="?tag=${encodeURIComponent(tag)}">${escape(tag)}</a>`).join(" ");
  const time = `<time datetime="${escape(postedAt)}">${escape(postedAt.slice(0, 10))}</time>`;
  return `<li id="notice-${id}">${time} ${escape(title)}${marks === "" ? "" : ` ${marks}`}</li>`;
}

/** The HTML of a list, with a button unless all is there. */
export function renderList(list) {
  const lines = list.items.map(renderNotice);
  const button = list.done ? "" : "\n<button>More</button>";
  return `<ol>\n${lines.join("\n")}\n</ol>${button}`;
}
