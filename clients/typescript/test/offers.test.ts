/** Offers: counting, listing, drawing and narrowing, in the order of the Python client. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Action,
  actions,
  count,
  narrow,
  nth,
  type OfferOf,
  permits,
  pick,
  random,
  values,
} from "../dist/offers.js";
import { createRandom } from "./proxy.ts";

const OFFER = {
  id: 18,
  choices: [
    {
      do: "place",
      fields: {
        tile: ["bakery", "sauna"],
        cell: [
          [0, 1],
          [2, 0],
        ],
      },
    },
    { do: "pay", fields: { gold: { kind: "range", low: 0, high: 3 } } },
    { do: "give", fields: { tiles: { kind: "pick", least: 1, most: 2, of: ["bakery", "sauna", "washroom"] } } },
    { do: "pass" },
  ],
} as unknown as OfferOf;

const ALL = [
  ...["bakery", "sauna"].flatMap((tile) =>
    [
      [0, 1],
      [2, 0],
    ].map((cell) => ({ do: "place", tile, cell })),
  ),
  ...[0, 1, 2, 3].map((gold) => ({ do: "pay", gold })),
  ...[["bakery"], ["sauna"], ["washroom"], ["bakery", "sauna"], ["bakery", "washroom"], ["sauna", "washroom"]].map(
    (tiles) => ({ do: "give", tiles }),
  ),
  { do: "pass" },
];

test("all actions are listed once, in order, and each is permitted", () => {
  assert.equal(count(OFFER), 15);
  assert.deepEqual([...actions(OFFER)], ALL);
  assert.deepEqual(
    ALL.map((_, index) => nth(OFFER, index)),
    ALL,
  );
  for (const action of ALL) assert.ok(permits(OFFER, action as Action));
  assert.throws(() => nth(OFFER, 15), RangeError);
});

test("what is not offered is not permitted", () => {
  const wrong = [
    { do: "pass", why: 1 },
    { do: "pay" },
    { do: "pay", gold: 4 },
    { do: "pay", gold: 1.5 },
    { do: "pay", gold: true },
    { do: "place", tile: "sauna" },
    { do: "place", tile: "sauna", cell: [1, 1] },
    { do: "give", tiles: [] },
    { do: "give", tiles: ["bakery", "bakery"] },
    { do: "give", tiles: "bakery" },
    { do: "fly" },
  ];
  for (const action of wrong) assert.equal(permits(OFFER, action as Action), false, JSON.stringify(action));
  assert.ok(permits(OFFER, { do: "give", tiles: ["washroom", "bakery"] }));
  assert.equal(permits(null, { do: "pass" }), false);
});

test("every action is drawn about equally often", () => {
  const drawn = new Map(ALL.map((action) => [JSON.stringify(action), 0]));
  const dice = createRandom(1);
  for (let at = 0; at < 15_000; at++) {
    const text = JSON.stringify(random(OFFER, dice));
    drawn.set(text, (drawn.get(text) as number) + 1);
  }
  for (const [text, times] of drawn) assert.ok(times > 850 && times < 1150, `${text}: ${times}`);
  assert.deepEqual(
    random(OFFER, () => 1),
    { do: "pass" },
  );
  assert.throws(() => random({ id: 1, choices: [] }), RangeError);
});

test("a page narrows an offer tap by tap", () => {
  assert.deepEqual(values(OFFER, "tile"), ["bakery", "sauna"]);
  const placing = narrow(OFFER, { do: "place", tile: "sauna" });
  assert.deepEqual(
    [count(placing), values(placing, "cell")],
    [
      2,
      [
        [0, 1],
        [2, 0],
      ],
    ],
  );
  assert.equal(pick(OFFER, { do: "place", tile: "sauna" }), null);
  assert.deepEqual(pick(placing, { cell: [2, 0] }), { do: "place", tile: "sauna", cell: [2, 0] });
  assert.deepEqual(pick(OFFER, { do: "pass" }), { do: "pass" });
  assert.deepEqual(values(OFFER, "gold"), [0, 1, 2, 3]);
  assert.deepEqual(values(OFFER, "tiles"), ["bakery", "sauna", "washroom"]);
  assert.equal(count(narrow(OFFER, { tiles: ["sauna", "bakery"] })), 1);
});

test("a choice with a field of an unknown kind is left out, and odd limits do no harm", () => {
  const odd = [
    { do: "fly", fields: { height: { kind: "real", low: 0, high: 1 } } },
    { do: "count", fields: { n: { kind: "range", low: 3, high: 1 } } },
    { do: "take", fields: { some: { kind: "pick", least: -2, most: 9, of: [1] } } },
    { do: "none", fields: { some: null } },
  ];
  const offer = { id: 1, choices: [...odd, { do: "pass" }] } as unknown as OfferOf;
  assert.deepEqual([...actions(offer)], [{ do: "take", some: [] }, { do: "take", some: [1] }, { do: "pass" }]);
  assert.equal(
    values({ id: 1, choices: [{ do: "x", fields: { n: { kind: "range", low: 0, high: 2 ** 52 } } }] } as never, "n")
      .length,
    1000,
  );
});

test("offers with more actions than a double counts can still be drawn from", () => {
  const of = Array.from({ length: 60 }, (_, at) => at);
  const offer = {
    id: 1,
    choices: [
      {
        do: "x",
        fields: { a: { kind: "pick", least: 30, most: 30, of }, b: { kind: "pick", least: 30, most: 30, of } },
      },
    ],
  } as unknown as OfferOf;
  const dice = createRandom(1);
  for (let at = 0; at < 100; at++) assert.ok(permits(offer, random(offer, dice)));
});
