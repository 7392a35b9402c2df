// A verifier of chance, written from CHANCE.md, FAIRNESS.md and RECORD.md alone: node verify.mjs FILE
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const lines = readFileSync(process.argv[2], "utf8").trimEnd().split("\n").map(line => JSON.parse(line));
const header = lines[0], entries = lines.slice(1, -1);
const server = Buffer.from(header.seed, "hex");
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();

if (header.commitment) {
  const committed = createHash("sha256").update("palatine seed ").update(server).digest("hex");
  if (committed !== header.commitment) fail("the commitment does not fit");
}
const seed = header.commitment ? hmac(server, `palatine game ${header.entropy.join(",")}`) : server;

function* words(number, label) {
  for (let block = 0; ; block++) {
    const bytes = hmac(seed, `${number}/${label}/${block}`);
    for (let at = 0; at < 32; at += 8) yield bytes.readBigUInt64BE(at);
  }
}

function below(n, source) {
  const all = 1n << 64n, limit = all - (all % BigInt(n));
  for (const word of source) if (word < limit) return Number(word % BigInt(n));
}

// `for … of` would close the generator after the first word.
const endless = generator => ({ [Symbol.iterator]: () => ({ next: () => generator.next() }) });

function drawn({ number, label, kind, of, result }) {
  const source = endless(words(number, label)), places = Array.from({ length: of }, (_, place) => place);
  if (kind === "below") return [below(of, source)];
  if (kind === "draw") return result.map(() => places.splice(below(places.length, source), 1)[0]);
  for (let last = of - 1; last > 0; last--) {
    const other = below(last + 1, source);
    [places[last], places[other]] = [places[other], places[last]];
  }
  return places;
}

let checked = 0, number = 0;
const numbers = {}; // of the last drawing at each version
for (const entry of entries) {
  if (entry.did.do === "take_back") number = numbers[entry.did.to];
  for (const drawing of entry.drawings ?? []) {
    if (drawing.number !== ++number) fail(`drawing ${number} is missing`);
    if (drawn(drawing).join() !== drawing.result.join()) fail(`drawing ${drawing.number} (${drawing.label}) does not follow`);
    checked++;
  }
  numbers[entry.version] = number;
}
console.log(checked);

function fail(why) {
  console.error(why);
  process.exit(1);
}
