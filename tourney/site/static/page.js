// What every page has: moments in the reader's own time, results that are hidden until they are asked for, and the keys n
// and p for the next page and the one before. Without it the page is complete.
"use strict";

(() => {
  const CLOCK = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  const DAY = { day: "numeric", month: "short", ...CLOCK };
  const KEY = "tourney:results";
  const page = document.documentElement;

  // Before there is anything to be seen: what was chosen before, unless the address has asked the server to hide them.
  try {
    if (page.dataset.results === "shown") page.dataset.results = localStorage.getItem(KEY) ?? "shown";
  } catch {} // a browser may refuse it; then a choice is for this page

  function choose(results) {
    page.dataset.results = results;
    try {
      localStorage.setItem(KEY, results);
    } catch {}
    history.replaceState(null, "", location.pathname + location.hash);
  }

  function show() {
    for (const time of document.querySelectorAll('time[datetime$="Z"]:not([title])')) {
      time.title = time.textContent;
      const at = new Date(time.dateTime);
      const isToday = at.toDateString() === new Date().toDateString();
      time.textContent = at.toLocaleString("en-GB", isToday ? CLOCK : DAY).replace(",", "");
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".results a");
    if (!link) return;
    choose(link.className === "hide-results" ? "hidden" : "shown");
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    const turn = { n: "next", p: "prev" }[event.key];
    if (turn) document.querySelector(`a[rel="${turn}"]`)?.click();
  });
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("tourney:refreshed", show); // the page has been fetched again
})();
