// A verifier of chance, texts and signature, written from CHANCE.md, FAIRNESS.md and RECORD.md alone:
//   node verify.mjs FILE [KEYS]
// KEYS is what a server shows at /v1/keys. It knows no rules. It prints what it found as JSON, or fails.
import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const [file, keysFile] = process.argv.slice(2);
const raw = readFileSync(file, "utf8").split("\n").slice(0, -1);
const lines = raw.map(line => JSON.parse(line));
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const ended = some => some.map(line => line + "\n").join("");

if (sha256(ended(raw.slice(0, -1))) !== lines.at(-1).sha256) fail("the checksum is wrong");
const header = lines[0], entries = lines.filter(line => "version" in line);

// The texts: each fits a hash in the lines that are signed, in their order; the hashes without one were erased.
const body = raw.slice(0, 1 + entries.length);
const texts = lines.filter(line => "kind" in line);
const erased = { name: 0, chat: 0 };
let next = 0;
for (const [, kind, hash] of ended(body).matchAll(/\{"(name|chat)_hash":"([0-9a-f]{64})"\}/g)) {
  const text = texts[next];
  if (text?.kind === kind && sha256(`palatine ${kind} `, Buffer.from(text.salt, "hex"), text.text) === hash) next++;
  else erased[kind]++;
}
if (next !== texts.length) fail("a text does not fit its hash");

// The signature.
function signature() {
  const found = lines.find(line => "signature" in line)?.signature;
  if (!found) return null;
  const x = Buffer.from(found.public, "hex").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const message = `palatine record ${header.record}\n${sha256(ended(body))}\n${found.server}\n`;
  if (!verify(null, Buffer.from(message), key, Buffer.from(found.value, "hex"))) fail("the signature is wrong");
  const id = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
  const published = keysFile ? JSON.parse(readFileSync(keysFile, "utf8")).keys : [];
  return { key: id, isPublished: published.some(other => other.kid === id && other.x === x) };
}
const signed = signature();

// Chance.
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
console.log(JSON.stringify({ drawings: checked, texts: texts.length, erased, signature: signed }));

function fail(why) {
  console.error(why);
  process.exit(1);
}
