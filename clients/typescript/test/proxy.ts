/** A way to a real server that loses, doubles, delays, splits and cuts. */

import { connect, createServer, type Socket, type Server as TcpServer } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";

/** A generator of random numbers that a test can repeat. */
export function createRandom(seed: number): () => number {
  let state = (seed * 7919 + 1) % 2147483647;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

export interface Faults {
  readonly lose: number; // the probabilities of what happens to one message
  readonly double: number;
  readonly delay: number;
  readonly cut: number;
}

export const HARSH: Faults = { lose: 0.01, double: 0.02, delay: 0.05, cut: 0.01 };

/** A proxy, and how often it did harm. */
export class LossyProxy {
  readonly harm = { connections: 0, lost: 0, doubled: 0, delayed: 0, cut: 0, split: 0 };
  url = "";
  #messages: WebSocketServer;
  #bytes: TcpServer;
  #upstream: string;
  #random: () => number;
  #faults: Faults;

  constructor(upstream: string, random: () => number, faults: Faults) {
    this.#upstream = upstream.replace("http", "ws");
    this.#random = random;
    this.#faults = faults;
    this.#messages = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: ([first]) => first ?? false });
    this.#messages.on("connection", (near, request) => this.#carry(near, request.url ?? ""));
    this.#bytes = createServer((near) => this.#splitBytes(near));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#bytes.listen(0, "127.0.0.1", resolve));
    this.url = `ws://127.0.0.1:${(this.#bytes.address() as { port: number }).port}`;
    return this;
  }

  stop(): void {
    for (const socket of this.#messages.clients) socket.terminate();
    this.#messages.close();
    this.#bytes.close();
  }

  // Whole messages

  #carry(near: WebSocket, path: string): void {
    const far = new WebSocket(this.#upstream + path, near.protocol);
    this.harm.connections++;
    const ready = new Promise((resolve) => far.once("open", resolve));
    const cut = () => {
      near.terminate();
      far.terminate();
    };
    let there: Promise<unknown> = ready;
    let back: Promise<unknown> = ready;
    near.on("message", (data, isBinary) => (there = there.then(() => this.#pass(far, data, isBinary, cut))));
    far.on("message", (data, isBinary) => (back = back.then(() => this.#pass(near, data, isBinary, cut))));
    near.on("close", () => far.terminate());
    far.on("close", (code) => near.close(code === 1006 || code === 1005 ? 1001 : code));
    near.on("error", cut);
    far.on("error", cut);
  }

  // Messages stay in their order, as on any connection.
  async #pass(to: WebSocket, data: RawData, binary: boolean, cut: () => void): Promise<void> {
    const { lose, double, delay } = this.#faults;
    if (this.#random() < delay) await this.#delay();
    const dice = this.#random();
    if (dice < this.#faults.cut) this.#cut(to, data, binary, cut);
    else if (dice < this.#faults.cut + lose) this.harm.lost++;
    else if (dice < this.#faults.cut + lose + double) this.#double(to, data, binary);
    else send(to, data, binary);
  }

  // A message may have arrived before the line was cut, or not: the sender cannot know.
  #cut(to: WebSocket, data: RawData, binary: boolean, cut: () => void): void {
    this.harm.cut++;
    if (this.#random() < 0.5 && to.readyState === WebSocket.OPEN) to.send(data, { binary }, () => setTimeout(cut, 5));
    else cut();
  }

  #double(to: WebSocket, data: RawData, binary: boolean): void {
    this.harm.doubled++;
    send(to, data, binary);
    send(to, data, binary);
  }

  async #delay(): Promise<void> {
    this.harm.delayed++;
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 20));
  }

  // Bytes

  #splitBytes(near: Socket): void {
    const far = connect((this.#messages.address() as { port: number }).port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#writeInPieces(to, bytes));
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
    }
  }

  #writeInPieces(to: Socket, bytes: Buffer): void {
    if (this.#random() > 0.2) to.write(bytes);
    else {
      this.harm.split++;
      const at = Math.floor(this.#random() * bytes.length);
      to.write(bytes.subarray(0, at));
      to.write(bytes.subarray(at));
    }
  }
}

function send(to: WebSocket, data: RawData, binary: boolean): void {
  if (to.readyState === WebSocket.OPEN) to.send(data, { binary });
}
