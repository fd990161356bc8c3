// The replay: asks for positions as one viewer saw them, a page at a time, and steps through them by keys.
import { html, svg } from "./cards.js";
import { lines, Table } from "./table.js";

const $ = (id) => document.getElementById(id);
const root = $("replay");
const match = root.dataset.match;
const SPEEDS = [0.5, 1, 2, 4, 8];

let seat = root.dataset.seat;
let move = 0;
let described = null;
let table = null;
let pages = new Map();
let timer = null;
let scrolling = 0;

async function ask(what) {
  const answer = await fetch(`/api/matches/${match}/${what}`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
}

// A page's first position is whole; the others say what changed.
function unfolded(told) {
  let before = { zones: {}, values: {} };
  return told.map((one, at) => {
    const whole = {
      ...one,
      zones: { ...before.zones, ...one.zones },
      values: { ...before.values, ...one.values },
      touched: new Set(at ? Object.keys(one.zones) : []),
    };
    before = whole;
    return whole;
  });
}

function page(number) {
  const whose = seat;
  if (!pages.has(number)) {
    pages.set(number, ask(`positions?seat=${whose}&page=${number}`).then((answer) => answer.json()).then((told) => unfolded(told.positions)));
  }
  return pages.get(number);
}

async function show(wanted) {
  const last = described.moves - 1;
  move = Math.max(0, Math.min(last, wanted));
  const asked = move;
  const number = Math.floor(asked / described.page);
  const positions = await page(number);
  if (asked !== move) return;
  const position = positions[asked % described.page];
  table.draw(position);
  $("at").textContent = asked;
  $("slider").value = asked;
  list(positions, number * described.page);
  tell(position);
  drawMarks();
  remember();
  root.dataset.shown = asked;
  if ((asked + 10) % described.page < 10 && asked + 10 <= last) page(Math.floor((asked + 10) / described.page));
}

function list(positions, first) {
  const words = $("words");
  if (words.dataset.first !== `${seat} ${first}`) {
    words.dataset.first = `${seat} ${first}`;
    words.start = first;
    words.replaceChildren(...positions.map((position, at) => {
      const item = html("li", { "data-move": first + at }, ...lines(position.words));
      for (const [, kind, text] of position.marks ?? []) item.append(html("div", { class: `failed ${kind}` }, text));
      return item;
    }));
  }
  for (const item of words.children) item.classList.toggle("here", Number(item.dataset.move) === move);
  cancelAnimationFrame(scrolling); // to measure is to lay the page out: once a picture, however quickly keys come
  scrolling = requestAnimationFrame(() => {
    const here = words.children[move - first];
    if (here) words.scrollTop = here.offsetTop - words.offsetTop - words.clientHeight / 2;
  });
}

function tell(position) {
  const marks = position.marks ?? [];
  const said = [...position.words.map((line) => line.trim()).slice(0, 4), ...marks.map(([, , text]) => text)];
  $("said").textContent = said.join(". ") || "The table is set.";
  const facts = position.answers.flatMap(([who, took, note]) => {
    const share = (took / 1000 / described.move_ms) * 100;
    const time = `${(took / 1000).toFixed(1)} ms, ${share < 1 ? "under 1" : share.toFixed(0)} % of the limit`;
    return [["dt", `seat ${who}`], ["dd", time], ...(note ? [["dt", "its note"], ["dd", note]] : [])];
  });
  for (const [who, , text] of marks) facts.push(["dt", `seat ${who}`], ["dd", text]);
  if (!facts.length) facts.push(["dt", "nobody"], ["dd", move ? "the stand-in answered" : "the cards were dealt"]);
  if (position.asked.length) facts.push(["dt", "next"], ["dd", `seat ${position.asked.join(" and ")}`]);
  $("facts-list").replaceChildren(...facts.map(([name, text]) => html(name, {}, text)));
  if ($("letter").open) letter();
}

async function letter() {
  const text = $("letter-text");
  if (!/^\d+$/.test(seat)) {
    text.textContent = "Messages are sent to seats: view as one.";
    return;
  }
  try {
    text.textContent = await (await ask(`message?seat=${seat}&move=${move}`)).text();
  } catch {
    text.textContent = `Seat ${seat} was not asked here.`;
  }
}

function drawMarks() {
  const wide = 1000 / Math.max(1, described.moves - 1);
  const bars = described.marks.map(([at, , kind]) => svg("rect", { class: kind, x: at * wide - 2, y: 2, width: 4, height: 10 }));
  $("marks").replaceChildren(...bars, svg("rect", { class: "here", x: move * wide - 2, y: 0, width: 4, height: 12 }));
}

function remember() {
  const link = new URL(location.href);
  link.searchParams.set("seat", seat);
  link.searchParams.set("move", move);
  history.replaceState(null, "", link);
  $("as-text").href = `/m/${match}/text?seat=${seat}#move-${move}`;
}

async function viewAs(wanted) {
  if (wanted !== "all" && wanted !== "public" && Number(wanted) >= described.seats.length) return;
  seat = wanted;
  pages = new Map(); // nothing of another viewer's picture stays in the page
  root.dataset.seat = seat;
  delete root.dataset.shown;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === seat) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (/^\d+$/.test(seat)) table.bottom = Number(seat);
  await Promise.all([mark(), show(move)]);
}

// What is said of a seat's decisions is for its own viewers.
async function mark() {
  const whose = seat;
  described.marks = [];
  const { marks } = await (await ask(`table?seat=${whose}`)).json();
  if (whose !== seat) return;
  described.marks = marks;
  drawMarks();
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (move < described.moves - 1 ? show(move + 1) : play(false)), 1000 / Number($("speed").value)) : null;
  $("play").textContent = on ? "pause" : "play";
  $("said").setAttribute("aria-live", on ? "off" : "polite");
}

function faster(step) {
  const at = Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(Number($("speed").value)) + step));
  $("speed").value = String(SPEEDS[at]);
  if (timer) play(true);
}

function nextMark() {
  const next = described.marks.find(([at]) => at > move) ?? described.marks[0];
  if (next) show(next[0]);
}

function turn() {
  table.bottom = (table.bottom + 1) % described.seats.length;
  show(move);
}

function help() {
  $("keys").hidden = !$("keys").hidden;
  $("ask-keys").setAttribute("aria-expanded", String(!$("keys").hidden));
}

const KEYS = {
  ArrowLeft: () => show(move - 1), k: () => show(move - 1),
  ArrowRight: () => show(move + 1), j: () => show(move + 1),
  Home: () => show(0), End: () => show(described.moves - 1),
  " ": () => play(!timer), "+": () => faster(1), "-": () => faster(-1),
  a: () => viewAs("all"), 0: () => viewAs("public"), f: turn, e: nextMark, "?": help,
  c: () => navigator.clipboard?.writeText(location.href),
  t: () => $("as-text").click(),
  m: () => { $("letter").open = !$("letter").open; },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=range]), select, textarea")) return;
  if (event.key === " " && event.target.matches("button, a, summary")) return;
  const does = /^[1-9]$/.test(event.key) ? () => viewAs(String(Number(event.key) - 1)) : KEYS[event.key];
  if (!does || !described) return;
  event.preventDefault();
  does();
});
for (const button of root.querySelectorAll("[data-key]")) button.addEventListener("click", () => KEYS[button.dataset.key]());
for (const link of document.querySelectorAll("[data-view]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    viewAs(link.dataset.view);
  });
}
$("slider").addEventListener("input", () => show(Number($("slider").value)));
$("speed").addEventListener("change", () => timer && play(true));
$("words").addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (item) show(Number(item.dataset.move));
});
$("letter").addEventListener("toggle", () => $("letter").open && letter());

try {
  const speed = new URL(location.href).searchParams.get("speed");
  if (SPEEDS.includes(Number(speed))) $("speed").value = speed;
  described = await (await ask(`table?seat=${seat}`)).json();
  table = new Table($("table"), described);
  if (/^\d+$/.test(seat)) table.bottom = Number(seat);
  await show(Number(root.dataset.move));
} catch (error) {
  $("table").textContent = `The match could not be loaded (${error.message}). Load the page again.`;
}
