/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104).
 *
 * `crypto.subtle` is missing on pages without https, such as those of a server in one's own network.
 */

const K: number[] = [];
const START: number[] = [];

// The constants are the first 32 bits of the fractional parts of cube and square roots of the first primes.
for (let candidate = 2; K.length < 64; candidate++) {
  let isPrime = true;
  for (let factor = 2; factor * factor <= candidate && isPrime; factor++) isPrime = candidate % factor !== 0;
  if (!isPrime) continue;
  if (START.length < 8) START.push(fraction(candidate ** (1 / 2)));
  K.push(fraction(candidate ** (1 / 3)));
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const state = [...START];
  for (let at = 0; at < padded.length; at += 64) mix(state, view, at);
  const result = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) result.setInt32(at * 4, word);
  return new Uint8Array(result.buffer);
}

function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return padded;
}

function mix(state: number[], view: DataView, at: number): void {
  const words = new Int32Array(64);
  for (let i = 0; i < 64; i++) words[i] = i < 16 ? view.getInt32(at + i * 4) : extend(words, i);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (words[i] ?? 0);
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + word) | 0;
}

function extend(words: Int32Array, i: number): number {
  const [near = 0, far = 0] = [words[i - 2], words[i - 15]];
  const small = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
  const large = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
  return ((words[i - 16] ?? 0) + small + (words[i - 7] ?? 0) + large) | 0;
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    join(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    join(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

export function join(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
