(() => {
  "use strict";
  const main = document.querySelector("main[data-case]");
  if (!main) return;
  const asks = Array.from(document.querySelectorAll(".ask"));
  const state = document.getElementById("state");
  const problem = document.getElementById("problem");
  const keys = document.getElementById("keys");
  const chosen = (ask) => ask.querySelector("input:checked");
  const saved = new Map(asks.map((ask) => [ask, chosen(ask)]));
  let current = null;
  // Answers are saved one after the other, so that the last one given is the last one stored.
  let queue = Promise.resolve();

  const mark = (ask) => {
    if (current) current.classList.remove("current");
    current = ask;
    if (ask) ask.classList.add("current");
  };
  const paint = () => {
    for (const ask of asks) {
      ask.classList.toggle("answered", saved.get(ask) !== null);
      const after = asks.find((a) => a.dataset.question === ask.dataset.after && a.dataset.item === ask.dataset.item);
      const reply = after ? chosen(after) : null;
      ask.hidden = reply !== null && reply.value === "false";
    }
  };
  const open = (from) => {
    const start = from ? asks.indexOf(from) + 1 : 0;
    const order = asks.slice(start).concat(asks.slice(0, start));
    return order.find((ask) => !ask.hidden && !chosen(ask)) || null;
  };
  const go = (ask) => {
    mark(ask);
    if (!ask) return;
    (chosen(ask) || ask.querySelector("input")).focus();
    ask.scrollIntoView({ block: "nearest" });
  };

  const post = async (ask, input) => {
    const body = {
      case: main.dataset.case,
      question: ask.dataset.question,
      item: ask.dataset.item === undefined ? null : ask.dataset.item,
      answer: JSON.parse(input.value),
    };
    let reason = "the program does not answer; is it still running?";
    try {
      const reply = await fetch("../answer", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        keepalive: true,
      });
      if (reply.ok) {
        const found = await reply.json();
        saved.set(ask, input);
        state.textContent = found.state;
        problem.textContent = "";
        document.getElementById("done").textContent = found.done;
        document.getElementById("progress").value = found.done;
        paint();
        return;
      }
      reason = await reply.text();
    } catch (error) {
      // No reply at all: the reason above.
    }
    problem.textContent = `Not saved: ${reason}`;
    // What is shown is what is stored, unless another answer was given meanwhile.
    if (chosen(ask) === input) {
      input.checked = false;
      const before = saved.get(ask);
      if (before) before.checked = true;
    }
    paint();
  };
  const save = (ask) => {
    const input = chosen(ask);
    if (input) queue = queue.then(() => post(ask, input));
    paint();
  };

  for (const ask of asks) {
    ask.addEventListener("change", () => save(ask));
    ask.addEventListener("focusin", () => mark(ask));
    ask.addEventListener("click", () => mark(ask));
  }
  document.getElementById("form").addEventListener("submit", (event) => event.preventDefault());

  const leave = async (id) => {
    const link = document.getElementById(id);
    if (!link) return;
    await queue;
    if (!problem.textContent) location.assign(link.href);
  };
  keys.checked = sessionStorage.getItem("rigor-label-keys") !== "off";
  const shortcuts = () => document.body.classList.toggle("nokeys", !keys.checked);
  keys.addEventListener("change", () => {
    sessionStorage.setItem("rigor-label-keys", keys.checked ? "on" : "off");
    shortcuts();
  });
  shortcuts();
  document.addEventListener("keydown", (event) => {
    if (!keys.checked || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "n") leave("next");
    else if (event.key === "p") leave("previous");
    else if (event.key === "u") go(open(current));
    else if (/^[1-9]$/.test(event.key) && current && !current.hidden) {
      const input = current.querySelectorAll("input")[Number(event.key) - 1];
      if (!input) return;
      if (!input.checked) {
        input.checked = true;
        save(current);
      }
      go(open(current) || current);
    } else return;
    event.preventDefault();
  });

  paint();
  mark(open(null));
})();
