// What the scripts of a page compute about the picture of a table, without the page. A plain script that defines `Table`,
// as browsers refuse modules to pages that are opened from a disk.
//
// A card is its suit and rank, `HQ`; a seat is `N`, `E`, `S` or `W`. A trick is a list of [seat, card], the lead first.
"use strict";

const Table = (() => {
  const TOUCH = 44; // the least width of what a finger has to hit, in CSS pixels
  const STEP_MAX = 58;
  const WIDTH_MAX = 92;
  const SLOPE = 1.4; // height of a card over its width
  const EDGE = 5; // what a card that lies under another is at least wider than what is seen of it
  const GAP = 4; // between two rows

  // Arranges the cards of a hand in a width and a height: in one row if what is seen of each is wide enough to be hit,
  // else in two. `step` is what is seen of a card under another; a place is `{ card, x, y }`, from the top left.
  function arrange(hand, width, height) {
    const fits = (columns) => Math.min(STEP_MAX, Math.floor((width - EDGE) / Math.max(columns, 1)));
    const rows = hand.length > 1 && fits(hand.length) < TOUCH ? 2 : 1;
    const columns = Math.ceil(hand.length / rows);
    const rowHeight = (height - (rows - 1) * GAP) / rows;
    const step = fits(columns);
    const room = width - step * (columns - 1);
    const card = Math.max(step + EDGE, Math.min(WIDTH_MAX, room, Math.floor(rowHeight / SLOPE)));
    const cardHeight = Math.floor(Math.min(rowHeight, card * SLOPE));
    const places = hand.map((each, index) => {
      const row = Math.floor(index / columns);
      const inRow = Math.min(columns, hand.length - row * columns);
      const left = (width - (step * (inRow - 1) + card)) / 2;
      return { card: each, x: left + step * (index % columns), y: row * (cardHeight + GAP) };
    });
    return { rows, columns, step, width: card, height: cardHeight, cards: places };
  }

  // Returns what has changed from one view to the next: the cards that were `played`, as [seat, card], and who has
  // `taken` a trick, null if nobody. A view has its `trick` and the seats that have `won` one.
  function changes(before, after) {
    const lay = new Set(before.trick.map(([, card]) => card));
    const played = after.trick.filter(([, card]) => !lay.has(card));
    const taken = after.won.length > before.won.length ? after.won[after.won.length - 1] : null;
    return { played, taken };
  }

  // Returns what a key means in a view: `{ to }`, the place to go to, of a replay the number of cards played; null if
  // nothing. Of a replay a view has `at`, `count`, the places of its `costs`, and whether a key means a whole trick
  // (`isTrick`); of a hand `hand`, its cards from left to right, and `at`, which one has the focus.
  function keyMeaning(key, view) {
    const { hand, at } = view;
    if (!hand) {
      const on = view.isTrick ? 4 - (at % 4) : 1;
      const back = view.isTrick ? (at % 4 || 4) : 1;
      const cost = view.costs.filter((each) => each > at).sort((a, b) => a - b)[0];
      const to = { ArrowRight: at + on, ArrowLeft: at - back, Home: 0, End: view.count, c: cost }[key];
      return to === undefined ? null : { to: Math.min(Math.max(to, 0), view.count) };
    }
    if (hand.length === 0) return null;
    const suitStarts = hand.map((card, index) => index).filter((index) => hand[index - 1]?.[0] !== hand[index][0]);
    const last = hand.length - 1;
    const to = {
      ArrowRight: Math.min(at + 1, last),
      ArrowLeft: Math.max(at - 1, 0),
      ArrowDown: suitStarts.find((index) => index > at) ?? at,
      ArrowUp: suitStarts.findLast((index) => index < at) ?? 0,
      Home: 0,
      End: last,
    }[key];
    return to === undefined ? null : { to };
  }

  // Offers a choice of two at the end of the page, which the browser keeps: a button with the words of the other one.
  // `choices` has the words by name, the usual one first; `apply` is told which is chosen.
  function offer(key, choices, apply) {
    const names = Object.keys(choices);
    const button = document.createElement("button");
    let kept = null;
    const choose = (name) => {
      const other = names.find((each) => each !== name);
      button.textContent = choices[other];
      button.value = other;
      apply(name);
    };
    try {
      kept = localStorage.getItem(key);
    } catch {} // a browser may refuse it; then a choice is for this page
    choose(names.includes(kept) ? kept : names[0]);
    button.type = "button";
    button.className = "choice";
    button.addEventListener("click", () => {
      try {
        localStorage.setItem(key, button.value);
      } catch {}
      choose(button.value);
    });
    const place = document.querySelector("footer");
    place.dataset.keep = ""; // what brings the page up to date leaves it alone
    place.append(button);
  }

  return Object.freeze({ arrange, changes, keyMeaning, offer });
})();
