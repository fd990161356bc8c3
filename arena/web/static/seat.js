// A human's seat: the page is a websocket bot.  It draws the view it is sent, offers the options, and sends a number.
import { html } from "./cards.js";
import { Table } from "./table.js";

const $ = (id) => document.getElementById(id);
const root = $("seat");
const token = location.hash.slice(1);
const it = await (await fetch("/api/seat")).json();
const table = new Table($("table"), it);
table.bottom = it.seat;

// What must outlive a reload: counts of messages, never a card.
const memory = JSON.parse(sessionStorage.getItem(token) ?? "null") ?? { session: crypto.randomUUID(), got: 0, said: 0, open: null };
const begins = memory.said;
const said = [];
let resume = memory.open ?? memory.got;
let line = null;
let request = null;
let tick = null;
const words = new Map();

function remember() {
  sessionStorage.setItem(token, JSON.stringify(memory));
}

function connect() {
  const where = `${it.socket}/?session=${memory.session}&got=${resume}&begins=${begins}`;
  memory.got = resume;
  line = new WebSocket(where, ["flock.json", `bearer.${token}`]);
  line.onopen = () => {
    if (!begins && !said.length) say({ type: "hello", protocol: [1], name: "human", wants: "both" });
    else for (const message of said) line.send(message);
  };
  line.onmessage = (event) => hear(JSON.parse(event.data));
  line.onclose = (event) => {
    if (root.dataset.state === "over") return;
    resume = memory.got;
    if (event.code === 1006) setTimeout(connect, 1000);
    else tell(event.code === 4409 ? "You have this seat open in another window." : `The seat is gone: ${event.reason || event.code}.`);
  };
}

function say(message) {
  said.push(JSON.stringify(message));
  memory.said += 1;
  remember();
  line.send(said.at(-1));
}

function hear(message) {
  const number = memory.got;
  memory.got += 1;
  if (message.type === "ask") memory.open = number;
  remember();
  HEARD[message.type]?.(message);
}

const HEARD = {
  prepare: () => say({ type: "ready" }),
  start: () => {
    $("words").replaceChildren();
    root.dataset.state = "playing";
    delete root.dataset.match;
    tell("The cards are dealt. Wait for your turn.");
  },
  ask: (message) => ask(message.requests[0]),
  forced: (message) => {
    close();
    tell(message.text);
    $("words").append(html("li", { class: "failed" }, message.text));
  },
  error: (message) => tell(message.text),
  end: (message) => {
    close();
    root.dataset.match = message.match;
    message.ranks.forEach((place, seat) => Object.assign(it.seats[seat], { place, points: message.scores[seat] }));
    if (table.position) table.draw({ ...table.position, asked: [], touched: new Set() });
    tell(`The match is over: you are number ${message.ranks[it.seat]} of ${message.ranks.length}, with ${message.scores[it.seat]} points. `);
    offerReplay(message.match);
    root.dataset.state = "over";
    memory.open = null;
    remember();
  },
};

// A match is open when it is stored, a moment after its end.
async function offerReplay(match) {
  for (;;) {
    const found = await fetch(`/api/matches/${match}`).then((answer) => answer.json()).catch(() => ({}));
    if (found.state === "final") break;
    await new Promise((go) => setTimeout(go, 250));
  }
  if (root.dataset.match === match) $("said").append(html("a", { href: `/m/${match}?seat=${it.seat}` }, "See the replay"));
}

function tell(text) {
  $("said").textContent = text;
}

// --- A turn --------------------------------------------------------------------------------------------------

async function ask(asked) {
  request = asked;
  const before = table.position?.zones ?? {};
  const position = { zones: zonesOf(asked.view), values: asked.view, asked: asked.view.question.seats };
  const changed = Object.keys(position.zones).filter((label) => JSON.stringify(position.zones[label]) !== JSON.stringify(before[label]));
  table.draw({ ...position, touched: new Set(table.position ? changed : []) });
  const answers = asked.events.filter(([verb, , option]) => verb === "answer" && option).map(([, , option]) => option);
  await learn([...asked.options, ...answers]);
  if (request !== asked) return;
  const news = asked.events.map(lineOf).filter(Boolean);
  $("words").append(...news.map((text) => html("li", { class: text.startsWith("Round") ? "heading" : "" }, text)));
  $("words").scrollTop = $("words").scrollHeight;
  $("question").textContent = `Your turn: ${asked.question.replaceAll("_", " ")}`;
  $("options").replaceChildren(...asked.options.map((option, at) => {
    const button = html("button", { "data-option": at }, html("b", {}, String(at + 1)), html("span", {}, wordsOf(option)));
    button.addEventListener("click", () => choose(at));
    return button;
  }));
  $("turn").hidden = false;
  if (document.activeElement === document.body || document.activeElement === $("typed")) $("options").firstChild.focus({ preventScroll: true });
  tell(`Move ${asked.move}, your turn: ${asked.options.length} option${asked.options.length === 1 ? "" : "s"}. ${news.slice(-3).join(". ")}`);
  watch(asked);
  root.dataset.move = asked.move;
}

function zonesOf(view) {
  const zones = {};
  for (const [name, about] of Object.entries(it.zones)) {
    const heaps = about.count ? view[name] : [view[name]];
    heaps.forEach((heap, at) => {
      zones[about.count ? `${name}.${at}` : name] = heap.every((face) => face === null) ? heap.length : heap;
    });
  }
  return zones;
}

function choose(at) {
  if (!request || !(at >= 0 && at < request.options.length)) return;
  const asked = request;
  close();
  memory.open = null;
  say({ type: "answer", answers: [{ id: asked.id, choice: at }] });
  tell(`You ${wordsOf(asked.options[at])}.`);
}

function close() {
  request = null;
  clearInterval(tick);
  $("turn").hidden = true;
  $("typed").value = "";
}

function watch(asked) {
  clearInterval(tick);
  $("clock").textContent = "";
  if (!it.timed) return;
  const due = performance.now() + asked.time_ms;
  const show = () => {
    $("clock").textContent = `${Math.max(0, (due - performance.now()) / 1000).toFixed(1)} s left`;
  };
  show();
  tick = setInterval(show, 100);
}

// --- Words: the server knows how a rulebook says an option -----------------------------------------------------

const LONGEST = 3000;

async function learn(options) {
  const missing = [...new Set(options.map((option) => JSON.stringify(option)))].filter((key) => !words.has(key));
  while (missing.length) {
    const part = [];
    let query = "";
    while (missing.length && (!part.length || query.length + encodeURIComponent(missing[0]).length < LONGEST)) {
      part.push(missing[0]);
      query += `${query ? "&" : "?"}option=${encodeURIComponent(missing.shift())}`;
    }
    const answer = await fetch(`/api/games/${it.game}/words${query}`);
    const told = answer.ok ? await answer.json() : part;
    part.forEach((key, at) => words.set(key, told[at]));
  }
}

function wordsOf(option) {
  return words.get(JSON.stringify(option)) ?? option.join(" ");
}

function lineOf([verb, ...rest]) {
  const face = (one) => it.looks[one]?.words ?? one;
  const who = (seat) => (seat === it.seat ? "you" : `seat ${seat}, ${it.seats[seat].bot}`);
  if (verb === "answer") return `${who(rest[0])}: ${rest[1] ? wordsOf(rest[1]) : "a secret choice"}`;
  if (verb === "set" && rest[0] === "round") return `Round ${rest[1]}`;
  if (verb === "draw" && rest[1] === `hands.${it.seat}` && rest[2]) return `you draw ${face(rest[2])}`;
  if (verb === "show" && rest[1]) return `${rest[0].replace(".", " ")} shows ${face(rest[1])}`;
  if (verb === "roll") return `a die of ${rest[0]} shows ${rest[1]}`;
  return "";
}

// --- Keys ------------------------------------------------------------------------------------------------------

$("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = $("typed").value.trim().toLowerCase();
  if (!typed || !request) return;
  const named = request.options.map((option) => wordsOf(option).toLowerCase());
  const exact = /^\d+$/.test(typed) ? Number(typed) - 1 : named.indexOf(typed);
  const like = named.flatMap((text, at) => (text.includes(typed) ? [at] : []));
  const at = exact >= 0 ? exact : like.length === 1 ? like[0] : -1;
  if (at < 0 || at >= request.options.length) tell(like.length > 1 ? `"${typed}" could mean ${like.length} options: say more.` : `There is no option "${typed}".`);
  else choose(at);
});

document.addEventListener("keydown", (event) => {
  if (!request || event.ctrlKey || event.altKey || event.metaKey) return;
  if (/^\d$/.test(event.key) && event.target !== $("typed")) {
    $("typed").focus(); // the digit itself arrives there by the browser's own doing
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && event.target !== $("typed")) {
    event.preventDefault();
    const buttons = [...$("options").children];
    const step = event.key === "ArrowDown" ? 1 : -1;
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  }
});

if (token) connect();
else tell("The address is not complete: open the one that arena human printed.");
