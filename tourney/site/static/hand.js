// Makes each hand whose cards are buttons one stop of the Tab key, in which the arrow keys move by card and by suit,
// and arranges it in the width that it has. Without it every card is a stop of its own, and a hand has the rows of the
// style sheet.
"use strict";

(() => {
  const buttonsOf = (hand) => [...hand.querySelectorAll("button")];

  function setStop(hand, stop) {
    for (const button of buttonsOf(hand)) button.tabIndex = button === stop ? 0 : -1;
  }

  function arrange(hand) {
    const cards = buttonsOf(hand).map((button) => button.value);
    const width = Math.floor(hand.parentElement.getBoundingClientRect().width);
    const { columns, step, width: card } = Table.arrange(cards, width, hand.clientHeight);
    hand.style.setProperty("--columns", columns);
    hand.style.setProperty("--step", `${step}px`);
    hand.style.setProperty("--width", `${card}px`);
  }

  function begin() {
    for (const hand of document.querySelectorAll("[data-hand]")) {
      const buttons = buttonsOf(hand);
      if (!buttons.some((button) => button === document.activeElement)) setStop(hand, buttons[0]);
      arrange(hand);
    }
  }

  document.addEventListener("focusin", (event) => {
    const hand = event.target.closest("[data-hand]");
    if (hand) setStop(hand, event.target);
  });
  document.addEventListener("keydown", (event) => {
    const hand = event.target.closest("[data-hand]");
    if (!hand || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = buttonsOf(hand);
    const view = { hand: buttons.map((button) => button.value), at: buttons.indexOf(event.target) };
    const meaning = Table.keyMeaning(event.key, view);
    if (!meaning) return; // a button plays its card by itself
    buttons[meaning.to].focus();
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("button[aria-disabled]")) event.preventDefault();
  });
  addEventListener("resize", begin);
  document.addEventListener("tourney:refreshed", begin); // the picture has been drawn again
  begin();
})();
