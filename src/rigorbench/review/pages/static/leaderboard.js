(() => {
  "use strict";
  const PAGE = 50;
  const collator = new Intl.Collator(undefined, { numeric: true });
  const tools = document.getElementById("tools");
  const shown = document.getElementById("shown");
  const controls = Array.from(tools.querySelectorAll("[name]"));
  const names = Array.from(document.querySelectorAll(".boards li"));

  // A row outside the page that is shown is no part of the document: thousands of entries cost what one page costs.
  // A board has a list of ranked entries and one of the others; each is sorted and cut by itself.
  const sections = Array.from(document.querySelectorAll("section.one"));
  const boards = Array.from(document.querySelectorAll(".entries"), (list) => {
    const body = list.querySelector("tbody");
    const heads = Array.from(list.querySelectorAll("thead th"));
    const rows = Array.from(body.rows, (row, number) => ({
      row,
      number,
      text: row.textContent.toLowerCase(),
      data: row.dataset,
      keys: heads.map((head, column) => {
        const cell = row.cells[column];
        if (head.dataset.kind !== "number") return cell.textContent;
        return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
      }),
    }));
    return {
      id: list.dataset.sort, section: list.closest("section"), list, body, heads, rows, ordered: rows, sort: null,
      limit: PAGE, more: list.querySelector(".more"), apart: list.closest(".apart") || list,
    };
  });

  const state = () => Object.fromEntries(
    controls.map((c) => [c.name, c.type === "checkbox" ? (c.checked ? "1" : "") : c.value.trim()]).filter(([, v]) => v),
  );

  const wanted = (entry, filter, find) => {
    for (const name of ["suite", "agent", "harness", "model", "kind"]) {
      if (filter[name] && entry.data[name] !== filter[name]) return false;
    }
    if (filter.ranked && !entry.data.ranked) return false;
    if (filter.since && !(entry.data.last >= filter.since)) return false;
    if (filter.fresh && !(entry.data.first >= filter.fresh)) return false;
    return !find || entry.text.includes(find);
  };

  const show = (board, found) => {
    const rows = found.slice(0, board.limit).map((entry) => entry.row);
    if (rows.length !== board.body.rows.length || rows.some((row, n) => row !== board.body.rows[n])) {
      board.body.replaceChildren(...rows);
    }
    const left = Math.max(0, found.length - board.limit);
    board.more.hidden = left === 0;
    board.more.firstElementChild.textContent = left ? `${board.limit} of ${found.length} entries` : "";
    board.apart.hidden = found.length === 0;
  };

  const apply = () => {
    const filter = state();
    const find = (filter.find || "").toLowerCase();
    const active = Object.keys(filter).length > 0;
    let count = 0;
    let total = 0;
    for (const board of boards) {
      const found = active ? board.ordered.filter((entry) => wanted(entry, filter, find)) : board.ordered;
      count += found.length;
      total += board.rows.length;
      show(board, found);
    }
    sections.forEach((section, place) => {
      const empty = boards.every((board) => board.section !== section || board.apart.hidden);
      section.querySelector(".none").hidden = !empty;
      if (names[place]) names[place].classList.toggle("gone", empty);
    });
    shown.textContent = active ? `${count} of ${total} entries` : `${total} entries`;
  };

  // Entries without a value stay at the end in both directions; equal ones keep the order of their ranks.
  const order = (board) => {
    for (const head of board.heads) head.removeAttribute("aria-sort");
    if (!board.sort) {
      board.ordered = board.rows;
      return;
    }
    const { column, down } = board.sort;
    board.heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = board.heads[column].dataset.kind === "number";
    const sign = down ? -1 : 1;
    board.ordered = board.rows.slice().sort((one, other) => {
      const a = one.keys[column];
      const b = other.keys[column];
      const [noA, noB] = [a === null || a === "", b === null || b === ""];
      if (noA || noB) return Number(noA) - Number(noB) || one.number - other.number;
      return sign * (numeric ? a - b : collator.compare(a, b)) || one.number - other.number;
    });
  };

  // What is shown is in the address: it can be kept, sent, and gone back to.
  const write = () => {
    const query = new URLSearchParams(state());
    const sorts = boards.filter((b) => b.sort)
      .map((b) => `${b.id}.${b.heads[b.sort.column].dataset.key}.${b.sort.down ? "down" : "up"}`);
    if (sorts.length) query.set("sort", sorts.join(","));
    const text = query.toString();
    const place = text ? `#${text}` : location.pathname.split("/").pop() + location.search;
    if (`#${text}` !== location.hash) history.replaceState(null, "", place);
  };

  const read = () => {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) return;
    const query = new URLSearchParams(hash);
    for (const control of controls) {
      const value = query.get(control.name) || "";
      if (control.type === "checkbox") control.checked = value === "1";
      else control.value = value;
      if (control.tagName === "SELECT" && control.selectedIndex < 0) control.value = "";
    }
    for (const board of boards) board.sort = null;
    for (const part of (query.get("sort") || "").split(",")) {
      const [id, key, direction] = part.split(".");
      const board = boards.find((b) => b.id === id);
      const column = board ? board.heads.findIndex((head) => head.dataset.key === key) : -1;
      if (column >= 0) board.sort = { column, down: direction === "down" };
    }
    boards.forEach(order);
    apply();
  };

  const changed = () => {
    for (const board of boards) board.limit = PAGE;
    apply();
    write();
  };

  for (const board of boards) {
    board.heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      // Ranks are read from the best, figures from the largest.
      const first = head.dataset.kind === "number" && head.dataset.key !== "rank";
      button.addEventListener("click", () => {
        const same = board.sort && board.sort.column === column;
        board.sort = { column, down: same ? !board.sort.down : first };
        board.limit = PAGE;
        order(board);
        apply();
        write();
      });
    });
    board.more.querySelector("button").addEventListener("click", () => {
      board.limit += PAGE;
      apply();
    });
  }
  for (const control of controls) {
    control.addEventListener(control.type === "search" ? "input" : "change", changed);
  }
  document.getElementById("reset").addEventListener("click", () => {
    for (const control of controls) {
      if (control.type === "checkbox") control.checked = false;
      else control.value = "";
    }
    for (const board of boards) board.sort = null;
    boards.forEach(order);
    changed();
  });
  window.addEventListener("hashchange", read);
  tools.hidden = false;
  boards.forEach(order);
  apply();
  read();
})();
