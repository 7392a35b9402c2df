/** The session, against the transcripts of the Python one, and against servers that are wrong. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createSession,
  type Event,
  isCurrent,
  type Session,
  type WatchedTable,
  type WatchTerms,
} from "../dist/session.js";
import { json, msgpack } from "./codecs.ts";
import { createRandom } from "./proxy.ts";

interface Step {
  do: string;
  id?: string;
  frame?: object;
  frames?: object[];
  request?: { type: string; table: string } & WatchTerms;
  events?: object[];
  tables?: Record<string, { version: number | null; seat: number | null; current: boolean }>;
  gone?: string[];
}

const VECTORS = join(import.meta.dirname, "../../../protocol/vectors/sessions.json");
const TRANSCRIPTS: { name: string; steps: Step[] }[] = JSON.parse(readFileSync(VECTORS, "utf8"));

const isEmpty = (value: unknown) => JSON.stringify(value ?? null).match(/^(null|""|false|{}|\[\])$/);
const dropEmpty = (message: object): object =>
  Object.fromEntries(
    Object.entries(message)
      .map(([key, value]) => [key, /^(forks|invitations)$/.test(key) ? dropEmpty(value) : value])
      .filter(([, value]) => !isEmpty(value)),
  );

/** Carry out a step and return the events that it causes. */
function carryOut(session: Session, step: Step): Event[] {
  const { id = "", frame, request } = step;
  if (step.do === "connection_made") session.opened();
  else if (step.do === "connection_lost") session.lost();
  else if (step.do === "beat") session.beat();
  else if (step.do === "resend") session.resend(id);
  else if (step.do === "forget") session.forget(id);
  else if (step.do === "receive") return session.receive(JSON.stringify(frame));
  else if (step.do === "request") ask(session, request as NonNullable<Step["request"]>);
  return [];
}

function ask(session: Session, request: NonNullable<Step["request"]>): void {
  if (request.type !== "watch") session.request(request as never);
  else {
    const { type: _, table, ...terms } = request;
    session.watch(table, Object.keys(terms).length || !session.tables.has(table) ? terms : undefined);
  }
}

// This session also postpones what the Python one keeps for the next connection; a retry meanwhile does no harm.
const isForReconnect = ([type, fact]: Event): boolean => type === "postponed" && fact.code === "shutting_down";

/** An event in the words of the transcripts. */
function tell(event: Event): object {
  const [type, fact] = event;
  switch (type) {
    case "welcome":
      return { type: "welcomed" };
    case "refused":
      return { type: "hello_refused", code: fact.code, final: event[2] };
    case "replied":
      return { type, id: fact.re, reply: fact.type.replace("_", "") };
    case "postponed":
      return { type, id: fact.re, after: fact.retry_after_ms ?? null, times: event[2] };
    case "changed":
      return { type, table: fact.table, version: fact.version, news: fact.news, snapshot: fact.snapshot };
    case "lost":
      return { type, table: fact, code: event[2].code };
    case "pushed":
      return { type: fact.type, code: (fact as { code?: number }).code };
    case "problem":
      return { type, kind: fact, table: event[2] };
  }
}

/** A pointer changes the view in this client, and has an event of its own in Python. */
function expected(event: object, session: Session): object {
  const { type, table, seat, action } = event as { type: string; table: string; seat: number; action: unknown };
  if (type !== "pointed") return event;
  const view = session.tables.get(table)?.view;
  assert.deepEqual(view?.pointed[seat] ?? null, action);
  return { type: "changed", table, version: view?.version, news: [], snapshot: false };
}

for (const { name, steps } of TRANSCRIPTS) {
  test(name, () => {
    const session = createSession("secret", json, "p", "test");
    for (const step of steps) {
      const events = carryOut(session, step).filter((event) => !isForReconnect(event));
      assert.deepEqual(
        events.map(tell),
        (step.events ?? []).map((event) => expected(event, session)),
        step.do,
      );
      if (step.frames)
        assert.deepEqual(
          session.take().map((frame) => dropEmpty(JSON.parse(frame as string))),
          step.frames,
        );
      for (const [id, state] of Object.entries(step.tables ?? {})) {
        const table = session.tables.get(id) as WatchedTable;
        assert.deepEqual({ version: table.version, seat: table.seat, current: isCurrent(table) }, state);
      }
      for (const id of step.gone ?? []) assert.equal(session.tables.has(id), false);
    }
  });
}

// Wrong servers

const welcome = {
  type: "welcome",
  re: "p-1",
  user: "u",
  name: "n",
  server: "s",
  heartbeat: 30,
  largest_frame: 16384,
  token_expires: 1,
  time: 1,
};

function welcomed(codec = json): Session {
  const session = createSession("secret", codec, "p");
  session.opened();
  assert.deepEqual(session.receive(codec.encode(welcome)).map(tell), [{ type: "welcomed" }]);
  return session;
}

const unreadable = [{ type: "problem", kind: "unreadable", table: "" }];

for (const [name, frame] of Object.entries({
  "no JSON": "{",
  "an empty frame": "",
  "a binary frame": new Uint8Array([1]),
  "a blob": {},
  "a number": "7",
  null: "null",
  "a list": "[1, 2]",
  "no type": "{}",
  "a type that is no string": '{"type": 7}',
  "an update with a fraction": '{"type": "update", "table": "t", "version": 1.5, "digest": 1}',
  "a version beyond doubles": '{"type": "update", "table": "t", "version": 9007199254740993, "digest": 1}',
  "deep lists": `{"type": "snapshot", "table": "t", "offer": ${"[".repeat(50000)}${"]".repeat(50000)}}`,
})) {
  test(`a server that sends ${name} is reported and nothing is thrown`, () => {
    const session = welcomed();
    session.request({ type: "undo", table: "t" });
    assert.deepEqual(session.receive(frame).map(tell), unreadable);
    assert.deepEqual(session.receive(JSON.stringify({ type: "done", re: "p-2", table: "t", version: 1 })).length, 1);
  });
}

test("a table heals from messages that lack what they need", () => {
  const session = welcomed();
  session.watch("t1");
  session.take();
  const [first, , , , , watching, snapshot] = (TRANSCRIPTS[0] as { steps: Step[] }).steps;
  assert.ok(first && watching && snapshot);
  for (const { frame } of [watching, snapshot]) session.receive(JSON.stringify(frame));
  for (const type of ["update", "snapshot", "resumed", "watching", "pointed", "done"]) {
    session.receive(JSON.stringify({ type, table: "t1" }));
    session.receive(JSON.stringify({ type, table: "t1", re: "p-2" }));
  }
  session.beat();
  session.beat();
  const asked = session
    .take()
    .map((frame) => JSON.parse(frame as string))
    .findLast(({ type }) => type === "watch");
  session.receive(JSON.stringify({ ...watching.frame, re: asked.id }));
  session.receive(JSON.stringify(snapshot.frame));
  assert.ok(isCurrent(session.tables.get("t1")));
});

test("messages and names that only look special are ignored", () => {
  const session = welcomed();
  for (const type of ["celebration", "constructor", "__proto__", "Info", "toString"]) {
    const events = session.receive(JSON.stringify({ type, table: "t", re: "x" }));
    assert.ok(events.length === 0 || tell(events[0] as Event), type);
  }
  assert.deepEqual(session.receive(JSON.stringify({ type: "pong", re: "constructor" })), []);
});

test("frames with random damage never throw", () => {
  const messages = TRANSCRIPTS.flatMap(({ steps }) => steps.flatMap(({ frame }) => (frame ? [frame] : []))).slice(
    0,
    2000,
  );
  const draw = createRandom(1);
  const random = (below: number) => Math.floor(draw() * below);
  const session = welcomed(msgpack);
  session.watch("t1");
  for (const message of messages) {
    const bytes = Uint8Array.from(msgpack.encode(message) as Uint8Array);
    for (let times = random(4); times >= 0; times--) bytes[random(bytes.length)] = random(256);
    session.receive(bytes.subarray(0, bytes.length - random(3)));
    session.beat();
    session.take();
  }
});
