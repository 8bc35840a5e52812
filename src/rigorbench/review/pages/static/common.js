(() => {
  "use strict";
  // What scrolls can be reached and scrolled by keyboard, and has a name.
  const name = (element) => {
    const table = element.querySelector(":scope > table");
    const caption = table && (table.caption ? table.caption.textContent : table.getAttribute("aria-label"));
    const section = element.closest("section, details, main");
    const heading = section && section.querySelector("h2, h3, summary, h1");
    return (caption || (heading && heading.textContent) || "Text").trim().replace(/\s+/g, " ").slice(0, 120);
  };
  const reach = (root) => {
    for (const element of root.querySelectorAll(".wide, pre, blockquote")) {
      if (element.hasAttribute("tabindex")) continue;
      if (element.scrollWidth <= element.clientWidth + 1 && element.scrollHeight <= element.clientHeight + 1) continue;
      const overflow = getComputedStyle(element);
      if (overflow.overflowX === "visible" && overflow.overflowY === "visible") continue;
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", `${name(element)}, scrolls`);
    }
  };
  reach(document);
  addEventListener("resize", () => reach(document));
  document.addEventListener("toggle", (event) => { if (event.target.open) reach(event.target); }, true);

  // Notes of cells: by pointing, by arrow keys from cell to cell, or by a tap; the note stands below the table.
  for (const table of document.querySelectorAll("table.noted")) {
    const place = table.closest(".wide").nextElementSibling;
    const first = table.querySelector("td[title]");
    if (!place || !place.classList.contains("note") || !first) continue;
    const empty = place.textContent;
    let current = first;
    first.tabIndex = 0;
    const tell = (cell) => {
      const row = cell.parentElement;
      const labels = [row.cells[0], table.tHead.rows[table.tHead.rows.length - 1].cells[cell.cellIndex]];
      const said = labels.filter((label) => label && label !== cell).map((label) => label.innerText.trim());
      const text = cell.innerText.trim().replace(/\s+/g, " ");
      place.textContent = `${said.join(", ")}: ${text ? `${text}; ` : ""}${cell.title}`;
    };
    const go = (cell) => {
      current.tabIndex = -1;
      current = cell;
      cell.tabIndex = 0;
      cell.focus();
    };
    const beside = (cell, down, right) => {
      const rows = Array.from(table.tBodies).flatMap((body) => Array.from(body.rows)).filter((row) => row.offsetParent);
      let [r, c] = [rows.indexOf(cell.parentElement), cell.cellIndex];
      for (;;) {
        [r, c] = [r + down, c + right];
        const next = rows[r] && rows[r].cells[c];
        if (!next) return null;
        if (next.title && next.tagName === "TD") return next;
      }
    };
    const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    table.addEventListener("keydown", (event) => {
      const cell = event.target.closest("td[title]");
      const step = steps[event.key];
      if (!cell || event.target !== cell || !step) return;
      const next = beside(cell, ...step);
      event.preventDefault();
      if (next) go(next);
    });
    table.addEventListener("focusin", (event) => {
      const cell = event.target.closest("td[title]");
      if (cell) tell(cell);
    });
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td[title]");
      if (cell && !event.target.closest("a, button, summary")) go(cell);
    });
    table.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td[title]");
      if (cell) tell(cell);
    });
    table.addEventListener("focusout", () => { place.textContent = empty; });
  }

  // On paper everything is open, but for the log.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open])")).filter((each) => !each.closest(".row"));
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
})();
