/**
 * The part of msgpack that the protocol uses: nil, booleans, integers, strings, arrays and maps with string keys.
 *
 * Anything else is refused: floats, binary strings, extensions, integers that a double cannot hold, more than 100
 * levels, and bytes after the end.
 */

const DEEPEST = 100;
const HIGH = 2 ** 32;

/** Encode a message; like JSON.stringify, this leaves out keys that are undefined. */
export function encode(value: unknown): Uint8Array {
  const bytes: number[] = [];
  write(bytes, value);
  return Uint8Array.from(bytes);
}

function write(bytes: number[], value: unknown): void {
  if (value === null) bytes.push(0xc0);
  else if (typeof value === "boolean") bytes.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number") writeInteger(bytes, value);
  else if (typeof value === "string") writeString(bytes, value);
  else if (Array.isArray(value)) writeList(bytes, value);
  else if (typeof value === "object")
    writeMap(
      bytes,
      Object.entries(value).filter(([, item]) => item !== undefined),
    );
  else throw new TypeError(`a message cannot hold a ${typeof value}`);
}

function writeInteger(bytes: number[], value: number): void {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no integer that a double holds exactly`);
  if (value >= -32 && value < 128) bytes.push(value & 255);
  else if (value >= 0 && value < HIGH) bytes.push(0xce, ...bigEndian(value, 4));
  else bytes.push(0xd3, ...bigEndian(Math.floor(value / HIGH), 4), ...bigEndian(value % HIGH, 4));
}

const bigEndian = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, at) => (value >>> (8 * (size - 1 - at))) & 255);

function writeLength(bytes: number[], length: number, short: number, limit: number, long: number): void {
  if (length < limit) bytes.push(short | length);
  else bytes.push(long, ...bigEndian(length, 4));
}

function writeString(bytes: number[], text: string): void {
  const utf8 = new TextEncoder().encode(text);
  writeLength(bytes, utf8.length, 0xa0, 32, 0xdb);
  for (const byte of utf8) bytes.push(byte);
}

function writeList(bytes: number[], list: unknown[]): void {
  writeLength(bytes, list.length, 0x90, 16, 0xdd);
  for (const item of list) write(bytes, item);
}

function writeMap(bytes: number[], entries: [string, unknown][]): void {
  writeLength(bytes, entries.length, 0x80, 16, 0xdf);
  for (const [key, item] of entries) {
    writeString(bytes, key);
    write(bytes, item);
  }
}

/** Decode a message, or throw. */
export function decode(frame: ArrayBuffer | Uint8Array): unknown {
  const bytes = frame instanceof Uint8Array ? frame : new Uint8Array(frame);
  const reader = new Reader(bytes);
  const value = reader.read(0);
  if (reader.at !== bytes.length) throw new RangeError("there are bytes after the end");
  return value;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Reader {
  at = 0;
  #bytes: Uint8Array;
  #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(depth: number): unknown {
    const kind = this.#unsigned(1);
    if (kind < 0x80) return kind;
    if (kind < 0x90) return this.#map(kind & 15, depth);
    if (kind < 0xa0) return this.#list(kind & 15, depth);
    if (kind < 0xc0) return this.#string(kind & 31);
    if (kind >= 0xe0) return kind - 256;
    return this.#long(kind, depth);
  }

  #long(kind: number, depth: number): unknown {
    if (kind === 0xc0) return null;
    if (kind === 0xc2 || kind === 0xc3) return kind === 0xc3;
    if (kind >= 0xcc && kind <= 0xcf) return this.#unsigned(2 ** (kind - 0xcc));
    if (kind >= 0xd0 && kind <= 0xd3) return this.#signed(2 ** (kind - 0xd0));
    if (kind >= 0xd9 && kind <= 0xdb) return this.#string(this.#unsigned(2 ** (kind - 0xd9)));
    if (kind === 0xdc || kind === 0xdd) return this.#list(this.#unsigned(kind === 0xdc ? 2 : 4), depth);
    if (kind === 0xde || kind === 0xdf) return this.#map(this.#unsigned(kind === 0xde ? 2 : 4), depth);
    throw new RangeError(`the protocol has no values of the kind ${kind}`);
  }

  #unsigned(size: number): number {
    let value = 0;
    while (size--) value = value * 256 + this.#view.getUint8(this.at++);
    if (!Number.isSafeInteger(value)) throw new RangeError("an integer is too large");
    return value;
  }

  #signed(size: number): number {
    let value = this.#view.getInt8(this.at++);
    while (--size) value = value * 256 + this.#view.getUint8(this.at++);
    if (!Number.isSafeInteger(value)) throw new RangeError("an integer is too large");
    return value;
  }

  #string(length: number): string {
    const end = this.at + length;
    if (end > this.#bytes.length) throw new RangeError("a string ends too soon");
    const text = utf8.decode(this.#bytes.subarray(this.at, end));
    this.at = end;
    return text;
  }

  // A list or map may claim four thousand million items: they are read until the bytes end, never allocated before.
  #list(length: number, depth: number): unknown[] {
    this.#checkDepth(depth);
    const list = [];
    while (length--) list.push(this.read(depth + 1));
    return list;
  }

  #map(length: number, depth: number): object {
    this.#checkDepth(depth);
    const entries: [string, unknown][] = [];
    while (length--) entries.push([this.#key(), this.read(depth + 1)]);
    return Object.fromEntries(entries); // unlike an assignment, this is safe for a key `__proto__`
  }

  #key(): string {
    const key = this.read(DEEPEST);
    if (typeof key !== "string") throw new RangeError("a key is no string");
    return key;
  }

  #checkDepth(depth: number): void {
    if (depth >= DEEPEST) throw new RangeError("a value nests too deep");
  }
}
