// The developer page: it asks this server alone, with the token behind the # of its own address, and shows plain text.

const WORDS = {
  en: {
    title: "Palatine: developer page",
    tables: "Tables",
    rules: "Last change of the rules",
    first: "To the beginning",
    back: "One entry back",
    forth: "One entry forth",
    last: "To the newest entry",
    version: "Entry",
    live: "follow the table",
    forkLog: "Fork here",
    forkRules: "Fork here, replayed with these rules",
    open: "Open the table",
    offers: "Offers",
    agenda: "Agenda",
    zones: "Zones",
    board: "Board",
    hand: "Hand of",
    box: "Box",
    chance: "Chance",
    noTables: "There is no table. Open one in the browser or with `palatine play`.",
    noReport: "No rules were changed yet.",
    noToken: "Open this page with the link that `palatine serve --reload` prints.",
    gone: "The server does not answer; it may be loading changed rules.",
    nobody: "The game waits for nobody.",
    mayWait: "may act",
    mustAct: "must act",
    begun: "The table was opened.",
    server: "server",
    actions: "actions",
    forked: "The fork has {entries} entries:",
    stopped: "The rules stopped before entry {at}: {why}",
    drew: "drew",
    to: "only to",
  },
  de: {
    title: "Palatine: Entwicklerseite",
    tables: "Tische",
    rules: "Letzte Änderung der Regeln",
    first: "Zum Anfang",
    back: "Einen Eintrag zurück",
    forth: "Einen Eintrag vor",
    last: "Zum neuesten Eintrag",
    version: "Eintrag",
    live: "dem Tisch folgen",
    forkLog: "Hier abzweigen",
    forkRules: "Hier abzweigen, mit diesen Regeln nachgespielt",
    open: "Den Tisch öffnen",
    offers: "Angebote",
    agenda: "Agenda",
    zones: "Zonen",
    board: "Spielplan",
    hand: "Hand von",
    box: "Schachtel",
    chance: "Zufall",
    noTables: "Es gibt keinen Tisch. Öffne einen im Browser oder mit `palatine play`.",
    noReport: "Noch wurden keine Regeln geändert.",
    noToken: "Öffne diese Seite mit dem Link, den `palatine serve --reload` ausgibt.",
    gone: "Der Server antwortet nicht; vielleicht lädt er geänderte Regeln.",
    nobody: "Das Spiel wartet auf niemanden.",
    mayWait: "darf handeln",
    mustAct: "muss handeln",
    begun: "Der Tisch wurde geöffnet.",
    server: "Server",
    actions: "Aktionen",
    forked: "Die Abzweigung hat {entries} Einträge:",
    stopped: "Die Regeln hielten vor Eintrag {at} an: {why}",
    drew: "zog",
    to: "nur an",
  },
};

const ASK_EVERY = 1500; // milliseconds
const lang = navigator.language.toLowerCase().startsWith("de") ? "de" : "en";
const words = WORDS[lang];
const token = location.hash.slice(1);
const state = { table: "", at: 0, versions: 0, isLive: true, number: 0 };
const find = (id) => document.getElementById(id);

// The server

class Refusal extends Error {}

async function ask(path, body) {
  const headers = { "x-palatine-develop": token, ...(body ? { "content-type": "application/json" } : {}) };
  const options = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
  const answer = await fetch(`develop/${path}`, options);
  const content = await answer.json();
  if (!answer.ok) throw new Refusal(content.sentence);
  return content;
}

function explain(error) {
  find("notice").textContent = error instanceof Refusal ? error.message : words.gone;
}

// Elements

function make(kind, text, more = {}) {
  const element = document.createElement(kind);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(more)) element.setAttribute(name, value);
  return element;
}

function fill(id, elements) {
  find(id).replaceChildren(...elements);
}

const isPlain = (value) => value === null || typeof value !== "object";
const isShort = (value) => isPlain(value) || (Array.isArray(value) && value.every(isPlain));
const show = (value) => (typeof value === "string" && value ? value : JSON.stringify(value));
const showShort = (value) => (Array.isArray(value) ? `[${value.map(show).join(", ")}]` : show(value));
const isRecord = (value) => !isPlain(value) && !Array.isArray(value) && Object.values(value).every(isShort);

// A value as a tree; `paths` are the places below it that the last entry changed.
function makeTree(value, paths) {
  if (isShort(value)) return make("span", showShort(value), paths.length ? { class: "changed" } : {});
  const list = make("dl");
  for (const [key, inner] of Object.entries(value)) list.append(makeRow(value, key, inner, paths));
  if (paths.some((path) => path.length === 0)) list.classList.add("changed");
  return list;
}

function makeRow(value, key, inner, paths) {
  const below = paths.filter((path) => String(path[0]) === key).map((path) => path.slice(1));
  const row = make("div", undefined, { class: "row" });
  row.append(make("dt", key));
  const item = make("dd");
  const isLine = Array.isArray(value) && isRecord(inner);
  const line = () => make("span", describeFields(inner, ""), below.length ? { class: "changed" } : {});
  item.append(isLine ? line() : makeTree(inner, below));
  row.append(item);
  return row;
}

// Tables and the report

async function look() {
  try {
    const found = await ask(`tables?lang=${lang}`);
    find("notice").textContent = "";
    showTables(found.tables);
    showReport(found.report);
    const own = found.tables.find((each) => each.table === state.table);
    if (own && state.isLive && own.version !== state.versions) await load();
  } catch (error) {
    explain(error);
  }
  setTimeout(look, ASK_EVERY);
}

function showTables(tables) {
  const chosen = document.activeElement?.dataset?.table;
  const items = tables.map((each) => {
    const item = make("li");
    const current = String(each.table === state.table);
    const button = make("button", `${each.game} ${each.table} · ${each.status} · ${each.version}`, {
      type: "button",
      "data-table": each.table,
      "aria-current": current,
    });
    button.addEventListener("click", () => choose(each.table));
    item.append(button);
    return item;
  });
  fill("tables", items.length ? items : [make("li", words.noTables)]);
  if (chosen) document.querySelector(`[data-table="${CSS.escape(chosen)}"]`)?.focus();
}

function showReport(report) {
  const lines = report ? report.lines : [words.noReport];
  find("report").className = report?.error ? "error" : "";
  fill(
    "report",
    lines.map((line) => make("li", line.trim(), line.startsWith("  ") ? { class: "inner" } : {})),
  );
}

// One table

async function choose(table) {
  Object.assign(state, { table, isLive: true });
  find("live").checked = true;
  find("forked").replaceChildren();
  await load();
}

async function load(at) {
  const number = ++state.number;
  try {
    const query = at === undefined ? "" : `?at=${at}`;
    const view = await ask(`tables/${encodeURIComponent(state.table)}${query}`);
    if (number === state.number) showView(view);
  } catch (error) {
    explain(error);
  }
}

function showView(view) {
  Object.assign(state, { at: view.at, versions: view.versions });
  find("table").hidden = false;
  find("at").max = view.versions;
  find("at").value = view.at;
  find("position").textContent = `${view.at} / ${view.versions}`;
  for (const id of ["first", "back"]) find(id).disabled = view.at === 0;
  for (const id of ["forth", "last"]) find(id).disabled = view.at === view.versions;
  for (const id of ["fork-log", "fork-rules"]) find(id).disabled = view.at === 0;
  find("open").href = `t/${encodeURIComponent(view.table)}`;
  find("trouble").textContent = view.trouble;
  showEntry(view);
  showOffers(view);
  fill("agenda", (view.agenda ?? []).map((step) => make("li", describeFields(step, ""))));
  showZones(view);
}

const nameSeat = (view, seat) => (seat === null ? words.server : `${view.seats[seat] ?? "–"} (${seat})`);

function describeFields(fields, verb) {
  const rest = Object.entries(fields).filter(([name]) => name !== verb);
  return rest.map(([name, value]) => `${name} ${isShort(value) ? showShort(value) : JSON.stringify(value)}`).join(", ");
}

function showEntry(view) {
  const entry = view.entry;
  if (!entry) find("entry").textContent = words.begun;
  else {
    const did = entry.did.action ?? entry.did;
    const fields = describeFields(did, "do");
    find("entry").textContent = `${nameSeat(view, entry.seat)}: ${did.do}${fields ? ` – ${fields}` : ""}`;
  }
  const news = (entry?.news ?? []).map(({ news, to }) => {
    const only = to ? ` (${words.to} ${to.map((seat) => nameSeat(view, seat)).join(", ")})` : "";
    return make("li", `${news.news}: ${describeFields(news, "news")}${only}`);
  });
  const drawings = (entry?.drawings ?? []).map((drawing) => make("li", `${words.drew} ${JSON.stringify(drawing)}`));
  fill("news", [...news, ...drawings]);
}

function showOffers(view) {
  const items = view.offers
    .filter((offer) => offer.choices.length)
    .map((offer) => {
      const does = view.waiting.includes(offer.seat) ? words.mustAct : words.mayWait;
      const item = make("li", `${nameSeat(view, offer.seat)} ${does}`);
      const list = make("ul");
      for (const choice of offer.choices) {
        const fields = describeFields(choice.fields ?? {}, "");
        list.append(make("li", `${choice.do}${fields ? ` – ${fields}` : ""} (${choice.count} ${words.actions})`));
      }
      item.append(list);
      return item;
    });
  fill("offers", items.length ? items : [make("li", words.nobody)]);
}

function showZones(view) {
  const hidden = (name) =>
    view.changed.hidden.filter((path) => path.length === 0 || path[0] === name).map((path) => path.slice(1));
  const hands = view.hands.map((hand, seat) => [`${words.hand} ${nameSeat(view, seat)}`, hand, view.changed.hands[seat]]);
  const zones = [
    [words.board, view.board, view.changed.board],
    ...hands,
    [words.box, view.box, hidden("box")],
    [words.chance, view.chance, hidden("chance")],
  ];
  fill(
    "zones",
    zones.map(([name, value, paths]) => {
      const zone = make("article");
      zone.append(make("h3", name), makeTree(value ?? null, paths));
      return zone;
    }),
  );
}

// Steps and forks

function step(at) {
  const wanted = Math.max(0, Math.min(state.versions, at));
  state.isLive = find("live").checked = wanted === state.versions;
  return load(wanted);
}

async function fork(way) {
  try {
    const made = await ask("forks", { table: state.table, at: state.at, way });
    const link = make("a", made.table, { href: `t/${encodeURIComponent(made.table)}` });
    const said = words.forked.replace("{entries}", made.entries);
    const why = words.stopped.replace("{at}", made.entries + 1).replace("{why}", made.stopped);
    await choose(made.table);
    find("forked").replaceChildren(`${said} `, link, made.stopped ? ` ${why}` : "");
  } catch (error) {
    explain(error);
  }
}

function listen() {
  find("first").addEventListener("click", () => step(0));
  find("back").addEventListener("click", () => step(state.at - 1));
  find("forth").addEventListener("click", () => step(state.at + 1));
  find("last").addEventListener("click", () => step(state.versions));
  find("at").addEventListener("input", (event) => step(Number(event.target.value)));
  find("live").addEventListener("change", (event) => {
    state.isLive = event.target.checked;
    if (state.isLive) load();
  });
  find("fork-log").addEventListener("click", () => fork("log"));
  find("fork-rules").addEventListener("click", () => fork("rules"));
  find("steps").addEventListener("submit", (event) => event.preventDefault());
}

function translate() {
  document.documentElement.lang = lang;
  document.title = words.title;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label]);
    element.title = words[element.dataset.label];
  }
}

translate();
listen();
addEventListener("hashchange", () => location.reload());
if (token) look();
else find("notice").textContent = words.noToken;
