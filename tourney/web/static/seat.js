// A seat at a table: sends what is clicked or typed without loading the page anew, and shows at once what was chosen. A
// call or card takes two clicks or taps, or one if the player wants it so.
// The page is complete without it. `live.js` brings the page up to date, `hand.js` has the keys of a hand, `table.js`
// says what has changed.
"use strict";

(() => {
  const LANDING_MS = 150;
  const LANDING = [{ opacity: 0, transform: "scale(1.2)" }, { opacity: 1, transform: "none" }];
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  let armed = null; // what a first tap has chosen, and a second one sends
  let armedAt = ""; // the position at which it was chosen
  let isByKey = false; // whether the last click was the Enter key's, on what the arrow keys had chosen
  let isTwice = true; // whether a call or card takes two clicks: nothing takes it back
  let before = view();

  // The trick on the page, as `Table.changes` compares it.
  function view() {
    return { trick: [...document.querySelectorAll(".laid [data-played]")].map((card) => ["", card.dataset.played]), won: [] };
  }

  // What comes of it is told by the stream, as all that happens at the table.
  function send(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {}); // the stream says if it is lost
  }

  function position() {
    return document.querySelector("input[name=at]")?.value;
  }

  function arm(button) {
    disarm();
    armed = button.value;
    armedAt = position();
    button.classList.add("armed");
  }

  function disarm() {
    armed = null;
    for (const each of document.querySelectorAll(".armed")) each.classList.remove("armed");
  }

  document.addEventListener(
    "click",
    (event) => {
      isByKey = event.detail === 0;
      if (!event.target.closest(".armed")) disarm(); // a tap elsewhere lowers the card
    },
    true,
  );

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.action.endsWith("/seat/do")) return;
    event.preventDefault();
    const button = event.submitter;
    const isMove = button?.name === "card" || button?.name === "call";
    if (isMove && isTwice && !isByKey && armed !== button.value) {
      arm(button);
      return;
    }
    disarm();
    if (button?.name === "card") button.classList.add("lifted"); // it lands when the server says so
    send(form, button);
    if (button?.name) return; // what is typed beside a button with a word of its own is not sent
    for (const field of form.querySelectorAll("[data-keep]")) field.value = "";
  });

  Table.offer("tourney:clicks", { two: "2 clicks", one: "1 click" }, (clicks) => {
    isTwice = clicks === "two";
  });

  // What the player in turn may still think; the next page has it from the server.
  setInterval(() => {
    const clock = document.querySelector(".left-time");
    const [minutes, seconds] = clock?.textContent.split(":").map(Number) ?? [0, 0];
    const left = 60 * minutes + seconds - 1;
    if (left >= 0) clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }, 1000);

  document.addEventListener("tourney:refreshed", () => {
    const now = view();
    if (!stillness.matches) {
      for (const [, card] of Table.changes(before, now).played) {
        document.querySelector(`.laid [data-played="${card}"]`)?.animate(LANDING, LANDING_MS);
      }
    }
    before = now;
    if (armed !== null && armedAt === position()) {
      document.querySelector(`button[value="${armed}"]`)?.classList.add("armed"); // the page was told something else
    } else {
      disarm();
    }
  });
})();
