// The player's decisions, without a table: node --test

import assert from "node:assert/strict";
import test from "node:test";

import { chooseCall, chooseCard, findWinner, parseHand } from "./my_bot.mjs";

const STRONG = parseHand("North's cards : S A K 9 7 4. H K 3 2. D Q T 3. C 8 7.");

test("a hand is read from its line", () => {
  assert.deepEqual(parseHand("West's cards : S A. H -. D T 2. C -."), ["AS", "TD", "2D"]);
});

test("twelve points open the longest suit, and nothing else is bid", () => {
  assert.equal(chooseCall(STRONG, []), "bids 1S");
  assert.equal(chooseCall(STRONG, ["passes", "bids 1C"]), "passes");
});

test("a trick is won as cheaply as it can be", () => {
  assert.equal(chooseCard(["AH", "QH", "2H"], ["JH"], "NT"), "QH");
  assert.equal(chooseCard(["2S", "3D"], ["AH"], "S"), "2S");
  assert.equal(findWinner(["AH", "2S", "KH"], "S"), 1);
});
