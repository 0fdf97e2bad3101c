// Keeps whether suits have four colours or two, as the reader wants it, for all pages with the picture of a table.
"use strict";

(() => {
  const KEY = "tourney:suits";

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // a browser may refuse it; then a choice is for this page
    }
  }

  function choose(suits) {
    document.documentElement.dataset.suits = suits;
    for (const button of document.querySelectorAll(".settings button")) {
      button.textContent = suits === "two" ? "4 colours" : "2 colours";
    }
  }

  for (const place of document.querySelectorAll(".settings")) {
    place.dataset.keep = ""; // what brings the page up to date leaves it alone
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => {
      const suits = document.documentElement.dataset.suits === "two" ? "four" : "two";
      try {
        localStorage.setItem(KEY, suits);
      } catch {
        // as above
      }
      choose(suits);
    });
    place.append(button);
  }
  choose(stored() === "two" ? "two" : "four");
})();
