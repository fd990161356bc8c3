// A running match: every message is a whole picture of the table; who reads slowly misses the ones between.
import { html } from "./cards.js";
import { lines, Table } from "./table.js";

const $ = (id) => document.getElementById(id);
const root = $("live");
let table = null;
let newest = null;
let loading = false;

async function show() {
  if (loading || !newest) return;
  if (table?.it.match !== newest.match) {
    loading = true;
    try {
      const answer = await fetch(`/api/live/${newest.match}/table`);
      if (!answer.ok) return;
      table = new Table($("table"), await answer.json());
    } finally {
      loading = false;
    }
  }
  if (table.it.match !== newest.match) return;
  draw(newest);
}

function draw(told) {
  $("game").textContent = table.it.title;
  $("match").textContent = told.match;
  told.places?.forEach(([place, points], seat) => Object.assign(table.it.seats[seat], { place, points }));
  table.draw({ ...told, touched: new Set(told.touched) });
  $("words").replaceChildren(...lines(told.words).map((line) => html("li", {}, line)));
  $("words").scrollTop = $("words").scrollHeight;
  const next = told.asked.length ? `Seat ${told.asked.join(" and ")} to act.` : "";
  $("said").textContent = told.state === "over" ? "The match is over." : `Move ${told.move}. ${next}`;
  root.dataset.shown = told.move;
  root.dataset.match = told.match;
  root.dataset.state = told.state;
}

const source = new EventSource(root.dataset.news);
source.onmessage = (event) => {
  const told = JSON.parse(event.data);
  if (told.zones) {
    newest = told;
    show();
  } else if (told.state === "open") {
    $("said").replaceChildren("The match is over, and its block is finished: ", html("a", { href: `/m/${told.match}` }, "see the replay"), ".");
    root.dataset.state = "open";
    stop();
  } else if (told.state === "void") {
    $("said").textContent = `The match does not count: ${told.text}`;
    stop();
  }
};
source.onerror = () => {
  if (source.readyState === EventSource.CLOSED) stop();
};

function stop() {
  source.close();
  $("badge").hidden = true;
}
