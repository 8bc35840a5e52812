(() => {
  "use strict";
  // Rows of a list that are shown before somebody asks for all.
  const PAGE = matchMedia("(max-width: 48rem)").matches ? 50 : 200;
  const tables = Array.from(document.querySelectorAll("#rows, .rows"), (body) => {
    const rows = Array.from(body.rows);
    return { body, rows, order: rows, all: rows.length <= PAGE, sorted: null, more: null,
      heads: Array.from(body.closest("table").querySelectorAll("thead th")) };
  });
  const rows = tables.flatMap((table) => table.rows);
  const texts = new Map();
  const kept = new Set(rows);
  const collator = new Intl.Collator(undefined, { numeric: true });
  const tools = document.getElementById("tools");
  const find = document.getElementById("find");
  const shown = document.getElementById("shown");
  const choices = Array.from(tools.querySelectorAll("select"));
  const count = (number) => number.toLocaleString("en");

  const value = (row, column, numeric) => {
    const cell = row.cells[column];
    if (!numeric) return cell.textContent;
    return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
  };

  // Shows the rows that are kept, up to a page of them.
  const lay = (table) => {
    let room = table.all ? Infinity : PAGE;
    let left = 0;
    for (const row of table.order) {
      const stays = kept.has(row);
      row.hidden = !stays;
      row.classList.toggle("later", stays && room <= 0);
      if (stays && room-- <= 0) left += 1;
    }
    if (table.more) {
      table.more.hidden = left === 0;
      table.more.firstElementChild.textContent = `Show ${count(left)} more`;
    }
  };

  const order = (table, column, direction) => {
    const head = table.heads[column];
    if (!head) return;
    const numeric = head.dataset.kind === "number";
    for (const each of table.heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = table.rows.map((row) => [value(row, column, numeric), row]);
    // Rows without a value stay at the end in both directions.
    keyed.sort(([a], [b]) => {
      const [noA, noB] = [a === null || a === "", b === null || b === ""];
      if (noA || noB) return Number(noA) - Number(noB);
      return sign * (numeric ? a - b : collator.compare(a, b));
    });
    table.order = keyed.map(([, row]) => row);
    table.sorted = [column, direction];
    lay(table);
    table.body.append(...table.order);
  };

  const first = (head) => (head.dataset.kind === "number" ? "descending" : "ascending");
  const turn = (table, column) => {
    const other = { ascending: "descending", descending: "ascending" };
    const now = table.heads[column].getAttribute("aria-sort");
    order(table, column, now ? other[now] : first(table.heads[column]));
    remember();
  };

  // A choice keeps the rows that have its value, or one of the words, in the attribute it names.
  const apply = () => {
    const wanted = find.value.trim().toLowerCase();
    const chosen = choices.filter((each) => each.value !== "");
    kept.clear();
    for (const row of rows) {
      if (wanted && !texts.has(row)) texts.set(row, row.textContent.toLowerCase());
      if ((!wanted || texts.get(row).includes(wanted))
        && chosen.every((each) => row.getAttribute(`data-${each.name}`).split("\n").includes(each.value))) kept.add(row);
    }
    tables.forEach(lay);
    shown.textContent = wanted || chosen.length ? `${count(kept.size)} of ${count(rows.length)}` : "";
  };

  // Who comes back from a run finds the list as it was left.
  const remember = () => {
    const state = { find: find.value, chosen: choices.map((each) => each.value),
      sorted: tables.map((table) => table.sorted), all: tables.map((table) => table.all) };
    history.replaceState({ list: state }, "");
  };
  const recall = () => {
    const state = history.state && history.state.list;
    if (!state) return;
    find.value = state.find;
    choices.forEach((each, n) => { each.value = state.chosen[n] || ""; });
    tables.forEach((table, n) => {
      table.all = table.all || Boolean(state.all[n]);
      if (state.sorted[n]) order(table, ...state.sorted[n]);
    });
  };

  for (const table of tables) {
    table.heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => turn(table, column));
    });
    if (table.all) continue;
    table.more = document.createElement("p");
    table.more.className = "more";
    const button = document.createElement("button");
    button.type = "button";
    table.more.append(button);
    button.addEventListener("click", () => {
      const next = table.order.find((row) => row.classList.contains("later"));
      table.all = true;
      lay(table);
      remember();
      const link = next && next.querySelector("a");
      if (link) link.focus();
    });
    table.body.closest(".wide").after(table.more);
  }

  // Where the heads of the columns are not shown, a choice sorts instead.
  const heads = tables.length ? tables[0].heads : [];
  if (heads.length) {
    const label = document.createElement("label");
    label.className = "sortby";
    label.append("Sort by ");
    const select = document.createElement("select");
    select.append(new Option("as listed", ""));
    heads.forEach((head, column) => {
      const [up, down] = head.dataset.kind === "number" ? ["least first", "most first"] : ["A to Z", "Z to A"];
      select.append(new Option(`${head.textContent}, ${down}`, `${column} descending`));
      select.append(new Option(`${head.textContent}, ${up}`, `${column} ascending`));
    });
    select.addEventListener("change", () => {
      const [column, direction] = select.value.split(" ");
      for (const table of tables) {
        if (select.value) order(table, Number(column), direction);
        else {
          for (const head of table.heads) head.removeAttribute("aria-sort");
          [table.order, table.sorted] = [table.rows, null];
          lay(table);
          table.body.append(...table.order);
        }
      }
      remember();
    });
    label.append(select);
    tools.append(label);
  }

  find.addEventListener("input", () => { apply(); remember(); });
  for (const each of choices) each.addEventListener("change", () => { apply(); remember(); });
  tools.hidden = rows.length < 2;
  recall();
  apply();
})();
