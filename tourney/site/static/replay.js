// Replays the cards of a board on the pictures of its tables, all rooms at once. The page is complete without it.
"use strict";

(() => {
  const SEATS = { N: "North", E: "East", S: "South", W: "West" };
  const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const PLACES = { N: "top", W: "left", E: "right", S: "bottom" };
  const FLIGHT_MS = 150;
  const sections = [...document.querySelectorAll("[data-room]")].filter((each) => each.querySelector("[data-replay]"));
  const rooms = sections.map((section) => ({
    name: section.dataset.room,
    diagram: section.querySelector("[data-replay]"),
    laid: section.querySelector(".laid"),
    tricks: section.querySelector(".tricks"),
    cells: [...section.querySelectorAll("[data-play]")],
    links: [...section.querySelectorAll(".play-on a")],
    shown: { trick: [], won: [], next: null },
  }));
  const count = Math.max(0, ...rooms.map((each) => each.cells.length));
  if (count === 0) return;
  const isCostly = (cell) => cell.querySelector(".cost") !== null;
  const costs = [...new Set(rooms.flatMap(({ cells }) => cells.flatMap((cell, n) => (isCostly(cell) ? [n + 1] : []))))];
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
  const seatOf = (cell) => cell.dataset.seat;
  const isWinner = (cell) => cell.classList.contains("won");

  const controls = element("div", "replay", "", document.querySelector(".rooms").parentElement);
  controls.dataset.keep = ""; // what brings the page up to date leaves it alone
  controls.setAttribute("role", "group");
  controls.setAttribute("aria-label", "Replay");
  const bar = element("div", "steps", "", controls);
  button("\u00AB", "To the start", () => show(0), bar);
  button("\u2039", "Back one card", () => show(at - 1), bar);
  const slider = element("input", "slider", "", bar);
  slider.type = "range";
  slider.min = "0";
  slider.max = String(count);
  slider.setAttribute("aria-label", "Card of the play");
  slider.addEventListener("input", () => show(Number(slider.value)));
  button("\u203A", "On one card", () => show(at + 1), bar);
  button("\u00BB", "To the end", () => show(count), bar);
  const words = element("p", "said", "", controls);
  const keys = "\u2190 \u2192 card, Shift: trick; c next cost, r other room, n next board, p the one before";
  element("p", "keys", keys, controls);

  // The view of a room after so many cards, as `Table` takes it, with the seat that plays next.
  function viewAt({ cells }, place) {
    const first = place === 0 ? 0 : Math.floor((place - 1) / 4) * 4;
    const played = cells.slice(0, place);
    return {
      trick: played.slice(first).map((cell) => [seatOf(cell), cell.dataset.play]),
      won: played.filter((_, index) => Math.floor(index / 4) * 4 + 4 <= place).filter(isWinner).map(seatOf),
      next: place < cells.length ? seatOf(cells[place]) : null,
    };
  }

  function face(laid, seat, card, hasWon, isDear) {
    const [suit, rank] = card;
    const item = element("li", `${SUITS[suit]} from-${PLACES[seat]}`, "", laid);
    item.classList.toggle("won-it", hasWon);
    item.classList.toggle("costly", isDear);
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

  function fly(diagram, item, seat) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from = diagram.querySelector(`[data-seat="${seat}"]`).getBoundingClientRect();
    const to = item.getBoundingClientRect();
    const left = from.left + from.width / 2 - to.left - to.width / 2;
    const top = from.top + from.height / 2 - to.top - to.height / 2;
    const way = `translate(${left}px, ${top}px)`;
    item.animate([{ transform: way }, { transform: "none" }], { duration: FLIGHT_MS, easing: "ease-out" });
  }

  function showRoom(room, place, isNext) {
    const { cells, diagram, laid } = room;
    const played = new Set(cells.slice(0, place).map((cell) => cell.dataset.play));
    for (const card of diagram.querySelectorAll("[data-card]")) {
      card.classList.toggle("gone", played.has(card.dataset.card));
    }
    const view = viewAt(room, place);
    laid.replaceChildren();
    const winner = place > 0 && place % 4 === 0 ? view.won[view.won.length - 1] : null;
    const dear = new Set(cells.filter(isCostly).map((cell) => cell.dataset.play));
    const items = new Map(
      view.trick.map(([seat, card]) => [card, face(laid, seat, card, seat === winner, dear.has(card))]),
    );
    if (isNext) for (const [seat, card] of Table.changes(room.shown, view).played) fly(diagram, items.get(card), seat);
    room.shown = view;
    for (const hand of diagram.querySelectorAll("[data-seat]")) {
      hand.querySelector(".plate").classList.toggle("turn", hand.dataset.seat === view.next);
    }
    room.tricks.textContent = tricksOf(room);
    const sofar = cells.slice(0, place).map((cell) => cell.dataset.play).join("") || "-";
    for (const link of room.links) link.href = link.href.replace(/[^/]*$/, sofar);
    if (place > 0) cells[place - 1].classList.add("now");
  }

  function show(place, isFirst = false) {
    const isNext = place === at + 1;
    at = Math.min(Math.max(place, 0), count);
    for (const now of document.querySelectorAll(".now")) now.classList.remove("now");
    for (const room of rooms) showRoom(room, Math.min(at, room.cells.length), isNext);
    slider.value = String(at);
    const said = at > 0 ? describe() : "Before the lead";
    slider.setAttribute("aria-valuetext", said);
    words.textContent = `${at}/${count} ${said}`;
    if (!isFirst) history.replaceState(null, "", `#card-${at}`);
  }

  // What was played, once if it is the same in all rooms.
  function describe() {
    const told = rooms.filter(({ cells }) => at <= cells.length).map(({ name, cells }) => [name, nameOf(cells[at - 1])]);
    const all = new Set(told.map(([, card]) => card));
    if (all.size === 1 && told.length === rooms.length) return told[0][1];
    return told.map(([name, card]) => `${name}: ${card}`).join("; ");
  }

  function nameOf(cell) {
    const [suit, rank] = cell.dataset.play;
    return `${SEATS[seatOf(cell)]} plays ${RANKS[rank] || rank} of ${SUITS[suit]}`;
  }

  function tricksOf({ cells, shown }) {
    if (cells.length === 0) return "";
    const isOfDefence = (seat) => "NS".includes(seat) === "NS".includes(seatOf(cells[0]));
    const defence = shown.won.filter(isOfDefence).length;
    return `Tricks ${shown.won.length - defence}\u2013${defence}`;
  }

  function turnToOtherRoom() {
    const away = sections.map((each) => Math.abs(each.getBoundingClientRect().top));
    sections[away.indexOf(Math.max(...away))].scrollIntoView();
  }

  function follow() {
    const [, place] = /^#card-(\d+)$/.exec(location.hash) || [];
    if (place !== undefined) show(Number(place), true);
    return place !== undefined;
  }

  addEventListener("hashchange", follow);
  document.addEventListener("tourney:refreshed", () => show(at, true));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable], .scroll")) return;
    if (event.key === "r") turnToOtherRoom();
    const meaning = Table.keyMeaning(event.key, { at, count, costs, isTrick: event.shiftKey });
    if (!meaning) return;
    show(meaning.to);
    event.preventDefault();
  });
  if (!follow()) show(0, true);
})();
