"use strict";
(() => {
  const table = document.getElementById("claims");
  const bodies = [...table.tBodies];
  const rows = [...table.querySelectorAll("tr[data-id]")];
  const tiles = [...document.querySelectorAll(".tile")];
  const part = document.getElementById("part");
  const words = document.getElementById("words");
  const shown = document.getElementById("shown");
  const pressed = (tile) => tile.getAttribute("aria-pressed") === "true";
  const texts = new Map(rows.map((row) => [row, (row.dataset.id + " " + row.textContent).toLowerCase()]));

  function filter() {
    const chosen = tiles.filter(pressed).map((tile) => tile.dataset);
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const visible = (!chosen.length || chosen.some((each) => each.verdict === row.dataset.verdict && each.kind === row.dataset.kind))
        && (!part.value || row.dataset.part === part.value)
        && wanted.every((word) => texts.get(row).includes(word));
      row.hidden = !visible;
      count += visible;
    }
    for (const body of bodies) {
      const heading = body.querySelector(".kind");
      if (heading) heading.hidden = ![...body.querySelectorAll("tr[data-id]")].some((row) => !row.hidden);
    }
    shown.textContent = count === rows.length ? `${count} claims` : `${count} of ${rows.length} claims`;
  }

  function sort(column, header) {
    const up = header.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => row.cells[column].dataset.sort;
    const missing = (value) => value === "" || value === "nan" || value === "None";
    const compare = (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (missing(x) || missing(y)) return missing(x) - missing(y);  // last, either way
      const [p, q] = [Number(x), Number(y)];
      const order = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
      return up ? order : -order;
    };
    for (const body of bodies) body.append(...[...body.querySelectorAll("tr[data-id]")].sort(compare));
  }

  function reset() {
    tiles.forEach((tile) => tile.setAttribute("aria-pressed", "false"));
    part.value = words.value = "";
    filter();
  }

  for (const tile of tiles) {
    tile.addEventListener("click", () => {
      tile.setAttribute("aria-pressed", String(!pressed(tile)));
      filter();
    });
  }
  part.addEventListener("change", filter);
  words.addEventListener("input", filter);
  document.getElementById("reset").addEventListener("click", reset);
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const button = header.querySelector("button");
    if (button) button.addEventListener("click", () => sort(column, header));
  });

  // A link to a claim that is filtered away shows it again.
  function reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) reset();
    for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);

  // The contents say where one is.
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const link = links.get(entry.target.id);
      if (entry.isIntersecting) {
        links.forEach((other) => other.removeAttribute("aria-current"));
        link.setAttribute("aria-current", "true");
      }
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  links.forEach((_, id) => document.getElementById(id) && seen.observe(document.getElementById(id)));

  addEventListener("beforeprint", () => document.querySelectorAll(".check, .method, .judged").forEach((d) => { d.open = true; }));
  document.querySelectorAll(".filters").forEach((each) => { each.hidden = false; });
  reset();
})();
