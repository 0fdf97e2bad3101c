// A seat at a table: sends what is clicked, typed or pressed without loading the page anew, and has a card fly to the
// table when it is played. The page is complete without it. `live.js` brings the page up to date, `table.js` knows
// what a key means and what has changed.
"use strict";

(() => {
  const ARM_MS = 4000; // how long a first tap waits for the second
  const FLIGHT_MS = 150;
  const coarse = matchMedia("(pointer: coarse)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let sending = false;
  let armed = null;
  let before = view();

  // What the page shows of the play, as `Table.changes` compares it.
  function view() {
    const trick = [...document.querySelectorAll(".laid [data-played]")].map((each) => each.dataset.played.split(" "));
    return { trick, won: [] };
  }

  async function send(form, submitter) {
    if (sending) {
      return;
    }
    sending = true;
    const words = new URLSearchParams(new FormData(form, submitter));
    try {
      const answer = await fetch(form.action, { method: "POST", body: words, cache: "no-store" });
      if (new URL(answer.url).pathname !== location.pathname && answer.redirected) {
        location.assign(answer.url); // the seat is no more
        return;
      }
      if (answer.headers.get("content-type")?.startsWith("text/html")) {
        document.dispatchEvent(new CustomEvent("tourney:page", { detail: await answer.text() }));
      }
    } catch {
      // the stream says that the connection is lost
    } finally {
      sending = false;
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.action.endsWith("/seat/do")) {
      return;
    }
    event.preventDefault();
    const button = event.submitter;
    if (button?.getAttribute("aria-disabled") === "true") {
      return;
    }
    if (button && coarse.matches && (button.name === "card" || button.name === "call") && armed !== button.value) {
      arm(button);
      return;
    }
    disarm();
    if (button?.name === "card") {
      button.classList.add("lifted"); // at once; it lands when the server says so
    }
    send(form, button);
    const typed = form.querySelector("#typed");
    if (typed) {
      typed.value = "";
    }
  });

  // On a telephone the first tap chooses, the second plays.
  function arm(button) {
    disarm();
    armed = button.value;
    button.classList.add("armed");
    setTimeout(() => armed === button.value && disarm(), ARM_MS);
  }

  function disarm() {
    armed = null;
    document.querySelectorAll(".armed").forEach((each) => each.classList.remove("armed"));
  }

  // The hand is one stop of the tabulator; arrows move in it.
  function hand() {
    return [...document.querySelectorAll(".own .fan button, [data-hand] button")];
  }

  function rove() {
    const cards = hand();
    const chosen = cards.find((each) => each === document.activeElement) ?? cards[0];
    cards.forEach((each) => (each.tabIndex = each === chosen ? 0 : -1));
  }

  document.addEventListener("keydown", (event) => {
    const button = event.target.closest?.("[data-hand] button");
    if (!button || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const cards = [...button.closest("[data-hand]").querySelectorAll("button")];
    const legal = cards.filter((each) => each.getAttribute("aria-disabled") !== "true").map((each) => each.value);
    const meaning = Table.keyMeaning(event.key, { hand: cards.map((each) => each.value), at: cards.indexOf(button), legal });
    if (meaning?.to !== undefined) {
      event.preventDefault();
      cards.forEach((each) => (each.tabIndex = -1));
      cards[meaning.to].tabIndex = 0;
      cards[meaning.to].focus();
    } else if (meaning?.play !== undefined) {
      event.preventDefault();
      armed = button.value; // a key is no slip of a finger
      button.form.requestSubmit(button);
    }
  });

  document.addEventListener("tourney:refreshed", () => {
    const now = view();
    if (!still.matches) {
      for (const [, card] of Table.changes(before, now).played) {
        document.querySelector(`.laid [data-played$="${card}"]`)?.animate(
          [{ opacity: 0, transform: "scale(1.2)" }, { opacity: 1, transform: "none" }],
          { duration: FLIGHT_MS },
        );
      }
    }
    before = now;
    disarm();
    rove();
  });

  rove();
})();
