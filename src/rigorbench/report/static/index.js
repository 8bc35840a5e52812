(() => {
  "use strict";
  const tables = Array.from(document.querySelectorAll("#rows, .rows"), (body) => ({
    body,
    rows: Array.from(body.rows),
    heads: Array.from(body.closest("table").querySelectorAll("thead th")),
  }));
  const rows = tables.flatMap((table) => table.rows);
  const collator = new Intl.Collator(undefined, { numeric: true });

  const value = (row, column, numeric) => {
    const cell = row.cells[column];
    if (!numeric) return cell.textContent;
    return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
  };

  // Rows without a value stay at the end in both directions.
  const sort = ({ body, rows, heads }, head, column) => {
    const numeric = head.dataset.kind === "number";
    const first = numeric ? "descending" : "ascending";
    const other = numeric ? "ascending" : "descending";
    const direction = head.getAttribute("aria-sort") === first ? other : first;
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = rows.map((row) => [value(row, column, numeric), row]);
    keyed.sort(([a], [b]) => {
      const [noA, noB] = [a === null || a === "", b === null || b === ""];
      if (noA || noB) return Number(noA) - Number(noB);
      return sign * (numeric ? a - b : collator.compare(a, b));
    });
    body.append(...keyed.map(([, row]) => row));
  };

  for (const table of tables) {
    table.heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(table, head, column));
    });
  }

  // A choice keeps the rows that have its value, or one of the words, in the attribute it names.
  const find = document.getElementById("find");
  const shown = document.getElementById("shown");
  const choices = Array.from(document.querySelectorAll("#tools select"));
  const apply = () => {
    const wanted = find.value.trim().toLowerCase();
    const chosen = choices.filter((each) => each.value !== "");
    let count = 0;
    for (const row of rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted)
        || !chosen.every((each) => row.getAttribute(`data-${each.name}`).split("\n").includes(each.value));
      count += !row.hidden;
    }
    shown.textContent = wanted || chosen.length ? `${count} of ${rows.length}` : "";
  };
  find.addEventListener("input", apply);
  for (const each of choices) each.addEventListener("change", apply);
  document.getElementById("tools").hidden = false;
})();
