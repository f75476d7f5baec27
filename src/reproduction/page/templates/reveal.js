"use strict";
// A link to a place that is folded unfolds it, and so does printing.
const reveal = () => {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!place) return;
  for (let part = place.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  place.scrollIntoView();
};
addEventListener("hashchange", reveal);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
reveal();
