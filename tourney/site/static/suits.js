// Whether suits have four colours or two, as the reader wants it, on all pages with the picture of a table.
"use strict";

Table.offer("tourney:suits", { four: "4 colours", two: "2 colours" }, (suits) => {
  document.documentElement.dataset.suits = suits;
});
