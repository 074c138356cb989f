// Answers for a bot of hoeg1/en-garde: one position a line in, one turn a line out, both as JSON. None of that project's
// code is here; it is loaded from a checkout: node lv3_bridge.mjs CHECKOUT LEVEL. `fresh` seats a new bot by this seed.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, level] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(folder, "src", name)));
const { Board, Hand } = await load("engarde.js");
const { Rand } = await load("rand.js");
const { default: Level } = await load(level === "0" ? "cpu/cpu.js" : `cpu/cpu${level}.js`);

// Each card is a bit: five for the 1s, then five for the 2s, and so on.
const bits = (cards) => cards.reduce((all, [value, copy]) => all | (1 << ((value - 1) * 5 + copy)), 0);
const UNDECIDED = -1;
let bot;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.fresh !== undefined) bot = new Level(new Rand(asked.fresh), asked.side);
  bot.hand = new Hand(bits(asked.hand));
  const board = new Board(
    asked.side, ...asked.places, ...asked.hands, asked.pile,
    asked.attack === "direct", asked.attack === "indirect", asked.count,
    !asked.parried, UNDECIDED, Board.KindPosition, new Hand(bits(asked.unplayed)), asked.indirect,
  );
  const { type, card_rank: value, count, jump_rank: step } = bot.think(board);
  process.stdout.write(JSON.stringify({ type, value, count, step }) + "\n");
}
