// Replays the cards of a board on its diagram. The page is complete without it: the play tables have all there is.
"use strict";

(() => {
  const diagram = document.querySelector("[data-replay]");
  if (!diagram) return;
  const SEATS = { N: "North", E: "East", S: "South", W: "West" };
  const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const rooms = [...document.querySelectorAll("[data-room]")]
    .map((section) => ({
      name: section.dataset.room,
      tab: document.getElementById(`tab-${section.dataset.room}`),
      cells: [...section.querySelectorAll("[data-play]")],
    }))
    .filter((room) => room.cells.length > 0);
  if (rooms.length === 0) return;

  let room = rooms[0];
  let at = 0;

  const element = (name, className, text, parent) => {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const button = (text, label, act, parent) => {
    const made = element("button", "step", text, parent);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };
  const nameOf = (cell) => {
    const [suit, rank] = cell.dataset.play;
    return `${SEATS[cell.dataset.seat]} plays ${RANKS[rank] || rank} of ${SUITS[suit]}`;
  };

  diagram.dataset.keep = ""; // what brings the page up to date leaves it alone
  const controls = element("div", "replay", "", diagram);
  controls.setAttribute("role", "group");
  controls.setAttribute("aria-label", "Replay");
  const choice = element("div", "choice", "", controls);
  for (const each of rooms.length > 1 ? rooms : []) {
    each.button = button(each.name, `Replay the ${each.name} room`, () => choose(each, 0), choice);
  }
  const bar = element("div", "steps", "", controls);
  button("\u00AB", "To the start", () => show(0), bar);
  button("\u2039", "Back one card", () => show(at - 1), bar);
  const slider = element("input", "slider", "", bar);
  slider.type = "range";
  slider.min = "0";
  slider.setAttribute("aria-label", "Card of the play");
  slider.addEventListener("input", () => show(Number(slider.value)));
  button("\u203A", "On one card", () => show(at + 1), bar);
  button("\u00BB", "To the end", () => show(room.cells.length), bar);
  const words = element("p", "said", "", controls);
  const middle = diagram.querySelector(".middle");
  const trick = element("div", "trick", "", middle.parentNode);
  trick.setAttribute("aria-hidden", "true");
  trick.hidden = true;

  function choose(which, place) {
    room = which;
    if (room.tab) room.tab.checked = true;
    show(place);
  }

  function show(place, isFirst = false) {
    const { cells } = room;
    at = Math.min(Math.max(place, 0), cells.length);
    for (const now of document.querySelectorAll(".now")) now.classList.remove("now");
    const played = new Set(cells.slice(0, at).map((cell) => cell.dataset.play));
    for (const card of diagram.querySelectorAll("[data-card]")) {
      card.classList.toggle("gone", played.has(card.dataset.card));
    }
    trick.replaceChildren();
    const first = at === 0 ? 0 : Math.floor((at - 1) / 4) * 4;
    for (const cell of cells.slice(first, at)) {
      const card = cell.querySelector(".card").cloneNode(true);
      card.classList.add("played", `from-${SEATS[cell.dataset.seat].toLowerCase()}`);
      card.classList.toggle("won-it", cell.classList.contains("won") && at - first === 4);
      trick.append(card);
    }
    trick.hidden = at === 0;
    middle.classList.toggle("behind", at > 0);
    if (at > 0) cells[at - 1].classList.add("now");
    slider.max = String(cells.length);
    slider.value = String(at);
    const said = at === 0 ? "Before the lead" : nameOf(cells[at - 1]);
    slider.setAttribute("aria-valuetext", said);
    words.textContent = `${at}/${cells.length} ${said}`;
    for (const each of rooms) if (each.button) each.button.setAttribute("aria-pressed", String(each === room));
    if (!isFirst) history.replaceState(null, "", at === 0 ? `#${room.name}` : `#${room.name}-${at}`);
  }

  function follow() {
    const [, name, place] = /^#([a-z]+)(?:-(\d+))?$/.exec(location.hash) || [];
    const found = rooms.find((each) => each.name === name);
    if (!found) return false;
    room = found;
    if (room.tab) room.tab.checked = true;
    show(Number(place || 0), true);
    if (place) lookAtHands();
    return true;
  }

  function lookAtHands() {
    document.querySelector("h1").scrollIntoView();
  }

  for (const each of rooms) if (each.tab) each.tab.addEventListener("change", () => choose(each, 0));
  addEventListener("hashchange", follow);
  document.addEventListener("tourney:refreshed", () => show(at, true));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable], .scroll")) return;
    if (event.key === "ArrowRight") show(at + 1);
    else if (event.key === "ArrowLeft") show(at - 1);
    else return;
    event.preventDefault();
  });
  if (!follow()) show(0, true);
  else if (at && document.readyState !== "complete") {
    // Until all is loaded, the browser goes to the row of the card itself.
    addEventListener("load", () => requestAnimationFrame(lookAtHands), { once: true });
  }
})();
