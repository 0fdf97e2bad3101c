// A bridge program for a Blue Chip table: node my_bot.mjs HOST PORT SEAT TEAM
//
// Fill in chooseCall and chooseCard; the rest is the protocol, as the manual describes it line by line.

import { connect } from "node:net";
import { createInterface } from "node:readline";
import { argv, exit } from "node:process";

const SEATS = ["North", "East", "South", "West"];
const RANKS = "23456789TJQKA";

// Cards are texts of rank and suit: "AS", "TH". Calls are those of the protocol without the seat: "passes", "bids 1NT".

export function chooseCall(hand, calls) {
  const points = hand.reduce((sum, card) => sum + Math.max(0, RANKS.indexOf(card[0]) - 8), 0);
  const length = (suit) => hand.filter((card) => card[1] === suit).length;
  const longest = [..."CDHS"].reduce((best, suit) => (length(suit) > length(best) ? suit : best));
  const nobodyHasBid = calls.every((call) => call === "passes");
  return points >= 12 && nobodyHasBid ? `bids 1${longest}` : "passes";
}

export function chooseCard(hand, trick, trump) {
  const following = hand.filter((card) => trick.length > 0 && card[1] === trick[0][1]);
  const legal = following.length > 0 ? following : [...hand];
  const price = (card) => (card[1] === trump ? 100 : 0) + RANKS.indexOf(card[0]);
  const cheapestFirst = legal.toSorted((one, other) => price(one) - price(other));
  return cheapestFirst.find((card) => findWinner([...trick, card], trump) === trick.length) ?? cheapestFirst[0];
}

export function findWinner(trick, trump) {
  const strength = (card) =>
    (card[1] === trump ? 200 : 0) + (card[1] === trick[0][1] ? 100 : 0) + RANKS.indexOf(card[0]);
  return trick.reduce((best, card, place) => (strength(card) > strength(trick[best]) ? place : best), 0);
}

// North's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.
export function parseHand(line) {
  const suits = line.split(":")[1].split(".").slice(0, 4);
  return suits.flatMap((text) => {
    const [suit, ...ranks] = text.trim().split(" ");
    return ranks.filter((rank) => rank !== "-").map((rank) => rank + suit);
  });
}

class Restart extends Error {}

async function main(host, port, me, team) {
  const socket = connect({ host, port: Number(port), noDelay: true });
  socket.on("error", (error) => fail(error.message));
  const lines = createInterface({ input: socket, crlfDelay: Infinity })[Symbol.asyncIterator]();

  const say = (line) => socket.write(`${line}\r\n`);
  const hear = async () => {
    const { value, done } = await lines.next();
    if (done || /^(error|illegal)/i.test(value)) fail(done ? "the table closed the connection" : value);
    return value.trim();
  };
  const ask = async (what) => {
    say(`${me} ready ${what}`);
    const line = await hear();
    if (line === "Start of board") throw new Restart(); // the table begins the board again
    return line;
  };

  async function playBoard() {
    const [, dealer] = (await ask("for deal")).match(/Dealer (\w+)/); // Board number 7. Dealer South. Both vulnerable.
    const hands = { [me]: parseHand(await ask("for cards")) };
    const calls = [];
    const declarers = {};
    let turn = SEATS.indexOf(dealer);
    let contract = null;
    while (calls.length < 4 || calls.slice(-3).some((call) => call !== "passes")) {
      const seat = SEATS[turn % 4];
      let call;
      if (seat === me) {
        call = chooseCall(hands[me], calls);
        say(`${me} ${call}`);
      } else {
        call = (await ask(`for ${seat}'s bid`)).split(" Alert.")[0].replace(/^\w+ /, "");
      }
      if (call.startsWith("bids")) {
        contract = { side: turn % 2, strain: call.slice(6) };
        declarers[contract.side + contract.strain] ??= seat;
      }
      calls.push(call);
      turn += 1;
    }
    if (contract === null) return; // passed out
    const declarer = declarers[contract.side + contract.strain];
    const dummy = SEATS[(SEATS.indexOf(declarer) + 2) % 4];
    let leader = SEATS.indexOf(declarer) + 1;
    for (let number = 1; number <= 13; number += 1) {
      const trick = [];
      for (let place = 0; place < 4; place += 1) {
        const seat = SEATS[(leader + place) % 4];
        if (number === 1 && place === 1 && me !== dummy) hands[dummy] = parseHand(await ask("for dummy"));
        if (me === (seat === dummy ? declarer : seat)) {
          if (place === 0 && (await hear()) === "Start of board") throw new Restart(); // else "North to lead"
          const card = chooseCard(hands[seat], trick, contract.strain);
          hands[seat].splice(hands[seat].indexOf(card), 1);
          say(`${seat} plays ${card}`);
          trick.push(card);
        } else {
          const whose = seat === dummy ? "dummy" : seat;
          trick.push((await ask(`for ${whose}'s card to trick ${number}`)).split(" ")[2]);
        }
      }
      leader += findWinner(trick, contract.strain);
    }
  }

  say(`Connecting "${team}" as ${me} using protocol version 18`);
  await hear(); // North ("Alpha") seated
  await ask("for teams");
  say(`${me} ready to start`);
  let line = await hear();
  while (line !== "End of session") {
    let again = line === "Start of board";
    while (again) {
      again = false;
      try {
        await playBoard();
      } catch (error) {
        if (!(error instanceof Restart)) throw error;
        again = true;
      }
    }
    line = await hear(); // Timing, Start of board
  }
  socket.end();
}

function fail(reason) {
  console.error(reason);
  exit(1);
}

if (argv.length === 6) {
  await main(...argv.slice(2));
} else if (argv[1]?.endsWith("my_bot.mjs")) {
  fail("node my_bot.mjs HOST PORT SEAT TEAM");
}
