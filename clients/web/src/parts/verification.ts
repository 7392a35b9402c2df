/** Checks the record of a game in this page: checksum, commitment, every shuffle, every sealed choice. */

import { fromHex, hmac, join, sha256, toBytes, toHex } from "./sha256.ts";

export interface Verdict {
  /** What does not fit; empty if everything does. */
  readonly problem: string;
  readonly commitment: string;
  /** How many drawings and sealed choices were computed again. */
  readonly drawings: number;
  readonly seals: number;
  /** How many players added to the seed. */
  readonly contributors: number;
}

interface Header {
  readonly commitment: string;
  readonly seed: string;
  readonly entropy: readonly string[];
}

interface Drawing {
  readonly number: number;
  readonly label: string;
  readonly kind: "shuffle" | "draw" | "below";
  readonly of: number;
  readonly result: number | readonly number[];
}

interface Entry {
  readonly version: number;
  readonly drawings?: readonly Drawing[];
  // biome-ignore lint/suspicious/noExplicitAny: news of any game
  readonly news?: readonly { readonly news: any }[];
}

/** Verify a record; see FAIRNESS.md, CHANCE.md and RECORD.md in the protocol. */
export async function verifyRecord(text: string): Promise<Verdict> {
  const lines = text.trimEnd().split("\n");
  const header: Header = JSON.parse(lines[0] ?? "{}");
  const entries = lines
    .slice(1)
    .map((line) => JSON.parse(line) as Entry)
    .filter((entry) => entry.version);
  const drawings = entries.flatMap((entry) => entry.drawings ?? []);
  const seals = checkSeals(entries);
  const problem = findProblem(text, lines, header, drawings) || seals.problem;
  return {
    problem,
    commitment: header.commitment,
    drawings: drawings.length,
    seals: seals.count,
    contributors: header.entropy.filter(Boolean).length,
  };
}

function findProblem(text: string, lines: string[], header: Header, drawings: readonly Drawing[]): string {
  const last = lines.at(-1) ?? "";
  const body = text.slice(0, text.lastIndexOf(last));
  if (toHex(sha256(toBytes(body))) !== JSON.parse(last).sha256) return "checksum";
  const seed = fromHex(header.seed);
  const commitment = toHex(sha256(join(toBytes("palatine seed "), seed)));
  if (header.commitment && header.commitment !== commitment) return "commitment";
  const game = header.commitment ? hmac(seed, toBytes(`palatine game ${header.entropy.join(",")}`)) : seed;
  const wrong = drawings.find((drawing) => JSON.stringify(drawAgain(game, drawing)) !== JSON.stringify(drawing.result));
  return wrong ? `${wrong.label} (${wrong.number})` : "";
}

/** Compute a drawing from the seed of the game. */
function drawAgain(seed: Uint8Array, { number, label, kind, of, result }: Drawing): number | number[] {
  const words = listWords(seed, `${number}/${label}`);
  const places = Array.from({ length: of }, (_, at) => at);
  if (kind === "below") return below(words, of);
  if (kind === "draw") return (result as number[]).map(() => places.splice(below(words, places.length), 1)[0] ?? -1);
  for (let at = of - 1; at > 0; at--) {
    const other = below(words, at + 1);
    [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
  }
  return places;
}

function* listWords(seed: Uint8Array, name: string): Generator<bigint> {
  for (let block = 0; ; block++) {
    const view = new DataView(hmac(seed, toBytes(`${name}/${block}`)).buffer as ArrayBuffer);
    for (let at = 0; at < 32; at += 8) yield view.getBigUint64(at);
  }
}

function below(words: Generator<bigint>, limit: number): number {
  const most = 2n ** 64n - (2n ** 64n % BigInt(limit));
  for (;;) {
    const word = words.next().value as bigint;
    if (word < most) return Number(word % BigInt(limit));
  }
}

function checkSeals(entries: readonly Entry[]): { problem: string; count: number } {
  const sealed = new Map<string, string>();
  let count = 0;
  for (const { version, news = [] } of entries) {
    for (const { news: item } of news) {
      if (item.news === "choice_sealed") sealed.set(`${version} ${item.seat}`, item.seal);
      if (item.news !== "choices_opened") continue;
      for (const choice of item.choices) {
        const canonical = `[${choice.seat},${sortKeys(choice.action)}]`;
        const seal = toHex(sha256(join(fromHex(choice.salt), toBytes(canonical))));
        if (seal !== sealed.get(`${choice.version} ${choice.seat}`))
          return { problem: `seal ${choice.version}`, count };
        count++;
      }
    }
  }
  return { problem: "", count };
}

/** Write a value with sorted keys and without spaces. */
function sortKeys(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortKeys).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortKeys((value as Record<string, unknown>)[key])}`).join(",")}}`;
}
