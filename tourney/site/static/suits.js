// Whether suits have four colours or two, as the reader wants it, on all pages with the picture of a table.
"use strict";

Table.offer("tourney:suits", { four: "Suits in four colours", two: "Suits in two colours" }, (suits) => {
  document.documentElement.dataset.suits = suits;
});
