// The protocol for one table: requests with replies, updates with digests, coming back. The page /docs explains it all.

const FINAL = [1000, 1002, 1003, 1007, 1008, 1009, 4002, 4005, 4010]; // after these codes, connecting again would fail
const BUSY = [1013, 4008, 4012]; // after these, wait longer
const LATER = ["try_again", "too_fast", "shutting_down", "too_many_connections"]; // the same request is sent again

export function connect(url, token, show) {
  const prefix = Math.random().toString(36).slice(2); // a user never uses an id twice
  const pending = new Map(); // requests without a reply, by id
  let socket, welcome, bye, timer, watched, view; // `view` is the last good one; null if ours is wrong
  let [count, failures, silence, asked] = [0, 0, 0, 0]; // `asked`: half heartbeats since we asked for the table, from 1

  function open(address = `${url}/v1/ws`) {
    welcome = null;
    show("status", "connecting");
    try {
      socket = new WebSocket(address, "palatine.v1.json");
    } catch {
      return lose(1006);
    }
    socket.onopen = () => {
      const isRunning = view && view.info.status !== "open"; // before the game, players still change their seats
      const resume = isRunning ? { resume: { [watched]: view.version }, forks: view.fork ? { [watched]: view.fork } : {} } : {};
      socket.send(JSON.stringify({ type: "hello", id: `${prefix}-${++count}`, token, client: "browser example", ...resume }));
    };
    socket.onmessage = ({ data }) => receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => lose(code, reason);
    timer = setTimeout(lose, 10_000, 1006); // for the welcome
  }

  function lose(code, reason) {
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    socket?.close();
    clearTimeout(timer);
    [socket, welcome, asked, silence] = [null, null, 0, 0];
    for (const [id, { isOwn }] of pending) if (isOwn) pending.delete(id);
    const last = bye;
    bye = null;
    if (FINAL.includes(last?.code ?? code)) return show("status", "closed", reason || last?.reason);
    if (BUSY.includes(last?.code ?? code)) failures += 4;
    show("status", "offline");
    const isSafe = last?.reconnect_to?.startsWith(url.startsWith("wss") ? "wss:" : "ws");
    setTimeout(open, last?.reconnect_in_ms ?? Math.random() * Math.min(15_000, 500 * 2 ** failures++), isSafe ? last.reconnect_to : undefined);
  }

  // The server's pings keep the connection alive, but a page cannot see them: only a question shows that a line is dead.
  function beat() {
    timer = setTimeout(beat, welcome.heartbeat * 500);
    if (!watched && !pending.size) return;
    if (++silence > 4) return lose(1006);
    if (asked && ++asked > 2) asked = 0;
    if (silence > 1) for (const { frame } of pending.values()) socket.send(frame);
    if (watched && (silence > 1 || !view)) watch();
  }

  function send(type, fields = {}, isOwn = false) {
    const id = `${prefix}-${++count}`;
    const frame = JSON.stringify({ type, id, ...fields });
    if (welcome) socket.send(frame);
    return new Promise((resolve, reject) => pending.set(id, { frame, resolve, reject, isOwn, tries: 0 }));
  }

  function watch() {
    if (!welcome || asked) return;
    asked = 1;
    send("watch", { table: watched, ...(view && { from: view.version, fork: view.fork }) }, true).catch((why) => show("refusal", why));
  }

  function settle(reply) {
    const request = pending.get(reply.re);
    if (!request) return;
    if (reply.type === "refused" && LATER.includes(reply.code)) {
      const delay = reply.retry_after_ms ?? Math.random() * Math.min(15_000, 500 * 2 ** request.tries++);
      return setTimeout(() => welcome && pending.has(reply.re) && socket.send(request.frame), delay);
    }
    pending.delete(reply.re);
    reply.type === "refused" ? request.reject(reply) : request.resolve(reply);
  }

  function receive(message) {
    silence = 0;
    if (message.re) settle(message);
    if (message.type === "bye") bye = message;
    else if (message.type === "welcome") greet(message);
    else if (!watched || message.table !== watched) return;
    else if (message.type === "snapshot") take(message, []);
    else if (message.type === "update") update(message);
    else if (message.type === "watching" || message.type === "resumed") compare(message);
    else if (message.type === "lost" && message.code === "try_again") setTimeout(watch, 1000);
    else if (message.type === "lost") show("refusal", message);
  }

  function greet(message) {
    [welcome, failures] = [message, 0];
    clearTimeout(timer);
    timer = setTimeout(beat, welcome.heartbeat * 500);
    show("status", "online");
    for (const { frame } of pending.values()) socket.send(frame);
    if (watched && (!view || view.info.status === "open")) watch();
  }

  function compare({ type, version, fork, digest = view?.digest }) {
    asked = 0;
    const isOther = view?.version === version && ((fork && view.fork && fork !== view.fork) || digest !== view.digest);
    if (isOther) view = null; // another history
    if (isOther || (type === "resumed" && view?.version !== version)) watch();
  }

  function update({ version, digest, info_digest, news = [], info, board, hand, ...changes }) {
    if (!view || version <= view.version) return;
    if (version > view.version + 1) return watch();
    const next = { ...view, ...changes, version, digest, fork: changes.fork };
    try {
      for (const [zone, patch] of Object.entries({ info, board, hand })) if (patch) next[zone] = apply(structuredClone(view[zone]), patch);
      if (digestOf(next.board, next.hand) !== digest || (info_digest !== undefined && digestOf(next.info) !== info_digest)) throw new Error("digest");
    } catch {
      [view, asked] = [null, 0]; // our document is wrong: ask for a new one
      return watch();
    }
    take(next, news);
  }

  function take(next, news) {
    [view, asked] = [next, 0];
    show("view", view, news);
  }

  open();
  return { send, watch: (table) => ([watched, view] = [table, null]) && watch() };
}

function apply(zone, patch) {
  for (const [path, ...rest] of patch) {
    if (path.length === 0 && rest.length === 1) zone = rest[0];
    else {
      const way = rest.length < 2 ? path.slice(0, -1) : path;
      const place = way.reduce((at, step) => (Object.hasOwn(at, step) ? at[step] : undefined), zone);
      const key = path.at(-1);
      if (rest.length === 0) delete place[key];
      else if (rest.length === 1) place[key] = rest[0];
      else place.splice(...rest);
    }
  }
  return zone;
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 && 0xedb88320);
  return byte;
});

function digestOf(board, hand = null) {
  let crc = -1;
  for (const byte of new TextEncoder().encode(canonical(board) + (hand === null ? "" : canonical(hand)))) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
