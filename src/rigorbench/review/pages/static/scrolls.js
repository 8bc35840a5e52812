(() => {
  "use strict";
  // A table that goes on to the right of what is shown fades there, until it is scrolled to its end.
  const mark = (element) => {
    const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
    element.classList.toggle("goes-on", rest > 1 && getComputedStyle(element).overflowX !== "visible");
  };
  const all = Array.from(document.querySelectorAll(".wide"));
  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  for (const element of all) {
    element.addEventListener("scroll", () => mark(element), { passive: true });
    sizes.observe(element);
  }
})();
