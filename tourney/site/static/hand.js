// Makes each hand whose cards are buttons one stop of the Tab key, in which the arrow keys move by card and by suit,
// and arranges it in its width; likewise the bids, by bid and level. Without it each is a stop of its own.
"use strict";

(() => {
  const GROUPS = "[data-hand], .levels";
  // On a narrow screen the bids of one level are there.
  const buttonsOf = (group) => [...group.querySelectorAll("button:enabled")].filter((each) => each.offsetParent);

  function setStop(group, stop) {
    for (const button of buttonsOf(group)) button.tabIndex = button === stop ? 0 : -1;
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
    for (const group of document.querySelectorAll(GROUPS)) {
      const buttons = buttonsOf(group);
      setStop(group, buttons.find((button) => button === document.activeElement) ?? buttons[0]);
      if (group.dataset.hand) arrange(group);
    }
  }

  document.addEventListener("focusin", (event) => {
    const group = event.target.closest(GROUPS);
    if (group && event.target.nodeName === "BUTTON") setStop(group, event.target);
  });
  document.addEventListener("change", begin); // another level of bids
  document.addEventListener("keydown", (event) => {
    const group = event.target.closest(GROUPS);
    if (!group || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = buttonsOf(group);
    const view = { hand: buttons.map((button) => button.value), at: buttons.indexOf(event.target) };
    if (view.at < 0) return; // a level has arrow keys of its own
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
