/** A server that says only what a test makes it say, on real websockets. */

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

type Message = Record<string, unknown>;

/** The server's end of one connection. */
export class Line {
  readonly path: string;
  #socket: WebSocket;
  #heard: Message[] = [];
  #wake = () => {};

  constructor(socket: WebSocket, path: string) {
    this.path = path;
    this.#socket = socket;
    socket.on("message", (data) => {
      this.#heard.push(JSON.parse(String(data)));
      this.#wake();
    });
  }

  /** The next request, which must be of this type. */
  async hear(type: string): Promise<Message> {
    while (!this.#heard.length) await new Promise<void>((resolve) => (this.#wake = resolve));
    const message = this.#heard.shift() as Message;
    assert.equal(message.type, type);
    return message;
  }

  say(...messages: (object | string)[]): void {
    for (const message of messages) this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Hear hello and say welcome. */
  async greet(given: object = {}): Promise<Message> {
    const hello = await this.hear("hello");
    const limits = { heartbeat: 60, largest_frame: 16384, token_expires: 2 ** 40, time: 1_772_700_000_000 };
    this.say({ type: "welcome", re: hello.id, user: "u", name: "Ludwig", server: "scripted", ...limits, ...given });
    return hello;
  }

  /** Answer a request. */
  async answer(type: string, reply: object): Promise<Message> {
    const request = await this.hear(type);
    this.say({ re: request.id, ...reply });
    return request;
  }

  cut(): void {
    this.#socket.terminate();
  }

  close(code: number, reason = ""): void {
    this.#socket.close(code, reason);
  }
}

export class Scripted {
  #server: WebSocketServer;
  #lines: Line[] = [];
  #wake = () => {};

  constructor() {
    this.#server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: ([first]) => first ?? false });
    this.#server.on("connection", (socket, request) => {
      this.#lines.push(new Line(socket, request.url ?? ""));
      this.#wake();
    });
  }

  async start(): Promise<this> {
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next connection. */
  async line(): Promise<Line> {
    while (!this.#lines.length) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#lines.shift() as Line;
  }

  stop(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }
}
