(() => {
  "use strict";
  const list = document.getElementById("rows");
  const rows = Array.from(list.children);
  const tools = document.getElementById("tools");
  const lane = document.getElementById("lane");
  const shown = document.getElementById("shown");
  const buttons = Array.from(tools.querySelectorAll("button[data-f]"));
  const find = document.getElementById("find");
  const chosen = new Set();
  const texts = new Map();
  let wanted = "";

  const contains = (row) => {
    if (!wanted) return true;
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row).includes(wanted);
  };

  const apply = () => {
    let count = 0;
    for (const row of rows) {
      const groups = row.dataset.g.split(" ");
      const visible = (chosen.size === 0 || groups.some((g) => chosen.has(g)))
        && (!lane || lane.value === "" || row.dataset.l === lane.value)
        && contains(row);
      row.hidden = !visible;
      count += visible;
    }
    const filtered = count !== rows.length;
    list.classList.toggle("filtered", filtered);
    shown.textContent = filtered ? `${count} of ${rows.length} rows` : `${rows.length} rows`;
    for (const button of buttons) {
      const group = button.dataset.f;
      button.setAttribute("aria-pressed", String(group === "" ? chosen.size === 0 : chosen.has(group)));
    }
  };

  for (const button of buttons) {
    button.addEventListener("click", () => {
      const group = button.dataset.f;
      if (group === "") chosen.clear();
      else if (!chosen.delete(group)) chosen.add(group);
      apply();
    });
  }
  if (lane) lane.addEventListener("change", apply);

  let waiting = 0;
  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      wanted = find.value.trim().toLowerCase();
      apply();
    }, 120);
  });

  // j and k go from row to row as in a pager, / searches; not while something is typed.
  const go = (way) => {
    const there = rows.filter((row) => !row.hidden);
    const at = there.indexOf(document.activeElement && document.activeElement.closest(".row"));
    const next = at < 0 ? there.find((row) => row.getBoundingClientRect().top > 0) || there[0] : there[at + way];
    if (!next) return;
    next.firstElementChild.firstElementChild.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "/") {
      event.preventDefault();
      find.focus();
    }
  });

  const setAll = (open) => {
    for (const row of rows) if (!row.hidden) row.firstElementChild.open = open;
  };
  document.getElementById("open").addEventListener("click", () => setAll(true));
  document.getElementById("close").addEventListener("click", () => setAll(false));

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const row = target.closest(".row");
    if (row) {
      row.hidden = false;
      row.firstElementChild.open = true;
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView({ block: row ? "center" : "start" });
  };
  window.addEventListener("hashchange", reveal);

  // Where a clipboard may not be written to, the text is selected for the user to copy.
  for (const button of document.querySelectorAll(".copy")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy.trim());
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(button.parentElement.querySelector("span") || button.parentElement);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }

  const axis = document.getElementById("axis");
  if (axis) {
    const strip = document.querySelector("#timeline .lanes");
    const marks = Array.from(strip.querySelectorAll("[data-x]"));
    const bySteps = marks.map((mark) => [mark.getAttribute("x"), mark.getAttribute("width")]);
    axis.hidden = false;
    axis.addEventListener("click", (event) => {
      const choice = event.target.closest("button");
      if (!choice) return;
      const timed = choice.dataset.axis === "time";
      strip.classList.toggle("timed", timed);
      marks.forEach((mark, n) => {
        mark.setAttribute("x", timed ? mark.dataset.x : bySteps[n][0]);
        if (mark.dataset.w) mark.setAttribute("width", timed ? mark.dataset.w : bySteps[n][1]);
      });
      for (const each of axis.children) each.setAttribute("aria-pressed", String(each === choice));
    });
  }

  tools.hidden = false;
  apply();
  if (location.hash) reveal();
})();
