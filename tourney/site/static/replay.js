// Replays the cards of a board on the picture of its table. The page is complete without it: the play tables have all
// there is.
"use strict";

(() => {
  const diagram = document.querySelector("[data-replay]");
  if (!diagram) return;
  const SEATS = { N: "North", E: "East", S: "South", W: "West" };
  const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const PLACES = { N: "top", W: "left", E: "right", S: "bottom" };
  const FLIGHT_MS = 150;
  const rooms = [...document.querySelectorAll("[data-room]")].map((section) => ({
    name: section.dataset.room,
    tab: document.getElementById(`tab-${section.dataset.room}`),
    cells: [...section.querySelectorAll("[data-play]")],
  }));
  if (rooms.every((each) => each.cells.length === 0)) return;

  let room = rooms[0];
  let at = 0;
  let shown = viewAt(0);

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
  const laid = diagram.querySelector(".laid");
  const tricks = diagram.querySelector(".tricks");

  // The view after so many cards, as `Table` takes it, with the seat that plays next.
  function viewAt(count) {
    const first = count === 0 ? 0 : Math.floor((count - 1) / 4) * 4;
    const played = room.cells.slice(0, count);
    return {
      trick: played.slice(first).map((cell) => [cell.dataset.seat, cell.dataset.play]),
      won: played.filter((_, index) => Math.floor(index / 4) * 4 + 4 <= count).filter(isWinner).map(seatOf),
      next: count < room.cells.length ? seatOf(room.cells[count]) : null,
    };
  }

  function isWinner(cell) {
    return cell.classList.contains("won");
  }

  function seatOf(cell) {
    return cell.dataset.seat;
  }

  function face(seat, card, hasWon) {
    const [suit, rank] = card;
    const item = element("li", `${SUITS[suit]} from-${PLACES[seat]}`, "", laid);
    item.classList.toggle("won-it", hasWon);
    const drawn = element("span", "face", "", item);
    element("span", "", rank === "T" ? "10" : rank, drawn);
    const pip = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    pip.setAttribute("class", "pip");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#pip-${suit}`);
    pip.append(use);
    drawn.append(pip);
    return item;
  }

  function fly(item, card) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from = diagram.querySelector(`[data-card="${card}"]`).getBoundingClientRect();
    const to = item.getBoundingClientRect();
    const way = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    item.animate([{ transform: way }, { transform: "none" }], { duration: FLIGHT_MS, easing: "ease-out" });
  }

  function choose(which, place) {
    room = which;
    if (room.tab) room.tab.checked = true;
    show(place);
  }

  function show(place, isFirst = false) {
    const { cells } = room;
    const isNext = place === at + 1;
    at = Math.min(Math.max(place, 0), cells.length);
    for (const now of document.querySelectorAll(".now")) now.classList.remove("now");
    const played = new Set(cells.slice(0, at).map((cell) => cell.dataset.play));
    for (const card of diagram.querySelectorAll("[data-card]")) {
      card.classList.toggle("gone", played.has(card.dataset.card));
    }
    const view = viewAt(at);
    laid.replaceChildren();
    const winner = at > 0 && at % 4 === 0 ? view.won[view.won.length - 1] : null;
    const items = new Map(view.trick.map(([seat, card]) => [card, face(seat, card, seat === winner)]));
    if (isNext) for (const [, card] of Table.changes(shown, view).played) fly(items.get(card), card);
    shown = view;
    for (const hand of diagram.querySelectorAll("[data-seat]")) {
      hand.querySelector(".plate").classList.toggle("turn", hand.dataset.seat === view.next);
    }
    tricks.textContent = tricksOf(view);
    if (at > 0) cells[at - 1].classList.add("now");
    slider.max = String(cells.length);
    slider.value = String(at);
    const said = at > 0 ? nameOf(cells[at - 1]) : cells.length > 0 ? "Before the lead" : "No card was played";
    slider.setAttribute("aria-valuetext", said);
    words.textContent = `${at}/${cells.length} ${said}`;
    if (!isFirst) history.replaceState(null, "", at === 0 ? `#${room.name}` : `#${room.name}-${at}`);
  }

  // Of declarer's side, which did not lead to the first trick, and of the defence.
  function tricksOf(view) {
    if (room.cells.length === 0) return "";
    const isOfDefence = (seat) => "NS".includes(seat) === "NS".includes(seatOf(room.cells[0]));
    const defence = view.won.filter(isOfDefence).length;
    return `Tricks ${view.won.length - defence}\u2013${defence}`;
  }

  function follow() {
    // Nothing on the page is called `open-22`: that moves the replay, while `room-open` is a heading to go to.
    const [, name, place] = /^#(?:room-)?([a-z]+)(?:-(\d+))?$/.exec(location.hash) || [];
    const found = rooms.find((each) => each.name === name);
    if (!found) return false;
    room = found;
    if (room.tab) room.tab.checked = true;
    show(Number(place || 0), true);
    return true;
  }

  for (const each of rooms) if (each.tab) each.tab.addEventListener("change", () => choose(each, 0));
  addEventListener("hashchange", follow);
  document.addEventListener("tourney:refreshed", () => show(at, true));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable], .scroll")) return;
    const meaning = Table.keyMeaning(event.key, { at, count: room.cells.length });
    if (!meaning) return;
    show(meaning.to);
    event.preventDefault();
  });
  if (!follow()) show(0, true);
})();
