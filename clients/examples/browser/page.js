// The page: it shows a table as the server draws and describes it, and turns the offer into buttons.
//
// After `#` in the address: url=wss://… token=… (otherwise a new guest on this server), game=…, table=… (otherwise a new
// table with house bots), lang=de, and auto (it plays by itself).
import { connect } from "./client.js";

const TEXTS = {
  en: { play: "Play with two bots", yours: "Your turn", wait: "Waiting for the others", over: "The game is over", ok: "Confirm", back: "Back", undo: "Undo" },
  de: { play: "Mit zwei Bots spielen", yours: "Du bist am Zug", wait: "Die anderen sind am Zug", over: "Das Spiel ist zu Ende", ok: "Bestätigen", back: "Zurück", undo: "Zurücknehmen", connecting: "verbindet", closed: "geschlossen" },
};
const given = new URLSearchParams(location.hash.slice(1));
const lang = (given.get("lang") ?? navigator.language).startsWith("de") ? "de" : "en";
const text = TEXTS[lang];
const home = (given.get("url") ?? location.origin).replace(/^ws/, "http").replace(/\/$/, "");
const $ = (id) => document.getElementById(id);
const getJson = async (path, options) => (await fetch(home + path, options)).json();
let client, table, view, game, answered, isDrawing;

// Names: of pieces in the catalog, of words and verbs among the labels. The page /docs says how to name seats and more.

const names = {};
function collectNames(place, key) {
  if (place === null || typeof place !== "object") return;
  const name = place[`name_${lang}`] ?? place.name_en ?? place[lang];
  if (typeof name === "string") names[place.id ?? key] = name;
  for (const [inner, value] of Object.entries(place)) collectNames(value, inner);
}
const label = (group, id) => game?.description?.labels?.[group]?.[id];
const verbName = (verb) => label("verbs", verb)?.label?.[lang] ?? verb.replaceAll("_", " ");
const nameOf = (value) => Array.isArray(value) ? `(${value.map(nameOf).join(", ")})` : names[value] ?? String(value).replaceAll("_", " ");

// Showing

const shows = {
  status: (state, why = "") => ($("status").textContent = `${text[(document.body.dataset.state = state)] ?? state} ${why}`),
  refusal: ({ sentence, rule }) => ($("refusal").textContent = [sentence, rule].filter(Boolean).join(" · ")),
  view(next) {
    const isOld = JSON.stringify([next.offer, next.can_undo]) === JSON.stringify([view?.offer, view?.can_undo]);
    view = next;
    Object.assign(document.body.dataset, { game: view.info.status, version: view.version });
    $("prompt").textContent = view.info.status === "over" ? text.over : isMyTurn() ? text.yours : text.wait;
    if (given.has("auto")) playAlone();
    else if (!isOld) showVerbs(); // otherwise the player may be choosing
    if (!isDrawing) draw();
  },
};
const isMyTurn = () => view.waiting?.some(({ seat }) => seat === view.seat);

// One picture after the other and every two seconds at most, because drawing and describing cost the server something.
async function draw() {
  isDrawing = true;
  const drawn = view.version;
  await client.send("describe", { table, lang }).then((reply) => ($("text").textContent = reply.text), shows.refusal);
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const look = `lang=${lang}&scheme=${scheme}&layout=${innerWidth < 800 ? "tall" : "wide"}`;
  if (view.board) await load(`${home}/v1/tables/${table}/board.svg?${look}&at=${drawn}`);
  setTimeout(() => ((isDrawing = false), drawn !== view.version && draw()), 2000);
}
const load = (src) => new Promise((done) => Object.assign($("picture"), { src, onload: () => done(($("picture").hidden = false)), onerror: done }));

// Acting: a verb, then a value for each of its fields

const isKnown = (field) => Array.isArray(field) || field.kind === "range" || field.kind === "pick";
const usable = () => (view.offer?.choices ?? []).filter(({ fields = {} }) => Object.values(fields).every(isKnown));

function showButtons(...rows) {
  const buttons = rows.map(([name, onclick, disabled = false]) => Object.assign(document.createElement("button"), { textContent: name, onclick, disabled }));
  $("choices").replaceChildren(...buttons);
}

function showVerbs() {
  const undo = view.can_undo ? [[text.undo, () => client.send("undo", { table }).catch(shows.refusal)]] : [];
  showButtons(...usable().map((choice) => [verbName(choice.do), () => showField(view.offer.id, choice, {})]), ...undo);
}

function showField(offer, choice, action, picked = []) {
  const [name, field] = Object.entries(choice.fields ?? {}).find(([key]) => !(key in action)) ?? [];
  const choose = (value) => showField(offer, choice, { ...action, [name]: value });
  const pick = (at) => showField(offer, choice, action, picked.includes(at) ? picked.filter((each) => each !== at) : [...picked, at]);
  if (!name) return act(offer, { do: choice.do, ...action });
  const { kind, of = field, low, high, least, most } = field;
  const values = kind === "range" ? Array.from({ length: high - low + 1 }, (_, step) => low + step) : of;
  const mark = (at) => (picked.includes(at) ? "✓ " : "");
  const rows = values.map((value, at) => [mark(at) + nameOf(value), () => (kind === "pick" ? pick(at) : choose(value))]);
  const isReady = picked.length >= least && picked.length <= most;
  if (kind === "pick") rows.push([text.ok, () => choose(picked.map((at) => of[at])), !isReady]);
  showButtons(...rows, [text.back, showVerbs]);
}

function act(offer, action) {
  $("refusal").textContent = "";
  showButtons();
  client.send("act", { table, offer, action }).catch((why) => (shows.refusal(why), (answered = null), shows.view(view)));
}

const between = (low, high) => low + Math.floor(Math.random() * (high - low + 1));
const sample = (list, count) => list.map((item) => [Math.random(), item]).sort(([one], [other]) => one - other).slice(0, count).map(([, item]) => item);
const drawValue = (field) => Array.isArray(field) ? sample(field, 1)[0] : field.kind === "range" ? between(field.low, field.high) : sample(field.of, between(field.least, Math.min(field.most, field.of.length)));

function playAlone() {
  const [choice] = sample(usable(), 1);
  if (!choice || !isMyTurn() || view.offer.id === answered) return;
  answered = view.offer.id;
  act(answered, { do: choice.do, ...Object.fromEntries(Object.entries(choice.fields ?? {}).map(([name, field]) => [name, drawValue(field)])) });
}

// Beginning

async function begin(name) {
  [$("start").hidden, $("table").hidden] = [true, false];
  game = await getJson(`/v1/games/${name}`).catch(() => null);
  collectNames([game?.catalog, game?.description?.labels?.words]);
  const token = given.get("token") ?? (sessionStorage.token ??= (await getJson("/v1/guests", { method: "POST" })).token);
  client = connect(home.replace(/^http/, "ws"), token, (kind, ...facts) => shows[kind](...facts));
  table = given.get("table") ?? (sessionStorage.game === name && sessionStorage.table);
  const requests = table ? ["sit"] : ["sit", "add_bot", "add_bot", "start"];
  table ||= (await client.send("create", { game: name, seats: 3 })).table;
  if (!given.has("token")) Object.assign(sessionStorage, { table, game: name });
  client.watch(table);
  for (const request of requests) await client.send(request, { table }).catch((why) => why.code === "already_seated" || shows.refusal(why));
}

document.documentElement.lang = lang;
$("play").textContent = text.play;
$("start").onsubmit = (event) => (event.preventDefault(), begin($("game").value));
const chosen = given.get("game") ?? (given.has("table") ? "" : sessionStorage.game);
if (chosen !== undefined) begin(chosen);
else for (const { game: name, title } of (await getJson(`/v1/games?lang=${lang}`)).games) $("game").add(new Option(title, name));
