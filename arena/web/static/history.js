// Ratings over blocks, drawn by uPlot; the tables below the charts say the same without script.
const LINES = 8;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const STROKES = ["--seat-0", "--seat-1", "--seat-2", "--seat-3", "--seat-4", "--seat-5", "--quiet", "--text"];
const STEPS = [1, 2, 5].flatMap((first) => [1, 10, 100, 1000, 10000].map((zeros) => first * zeros)).sort((one, other) => one - other);

function draw(holder, blocks, series, bands, columns, label) {
  const axis = { stroke: colour("--text"), grid: { stroke: colour("--line") }, ticks: { stroke: colour("--line") } };
  const options = {
    width: holder.clientWidth,
    height: 320,
    scales: { x: { time: false } },
    legend: { show: false },
    axes: [{ ...axis, label: "block", incrs: STEPS }, { ...axis, label, size: 60 }],
    series: [{ label: "block" }, ...series],
    bands,
  };
  const chart = new uPlot(options, [blocks, ...columns], holder);
  new ResizeObserver(() => chart.setSize({ width: holder.clientWidth, height: 320 })).observe(holder);
}

function line(name, at) {
  return { label: name, stroke: colour(STROKES[at]), width: 2, spanGaps: true, points: { show: false }, dash: at > 3 ? [6, 4] : [] };
}

function live(holder, division) {
  const bots = Object.entries(division.bots).filter(([, elos]) => elos.some((elo) => elo !== null)).slice(0, LINES);
  draw(holder, division.blocks, bots.map(([name], at) => line(name, at)), [], bots.map(([, elos]) => elos), "live Elo");
}

// Three columns for every bot: its rating, and the two edges between which the band is filled.  Bands that are wider
// than all ratings together would hide everything else, and begin where they no longer do.
function rated(holder, division) {
  const bots = Object.entries(division.rated).slice(0, LINES);
  const elos = bots.flatMap(([, points]) => points.filter(Boolean).map(([elo]) => elo));
  const most = Math.max(100, Math.max(...elos) - Math.min(...elos));
  const edge = (points, sign) => points.map((point) => (point && point[1] <= most ? point[0] + sign * point[1] : null));
  const series = bots.flatMap(([name], at) => [line(name, at), { stroke: "", points: { show: false } }, { stroke: "", points: { show: false } }]);
  const columns = bots.flatMap(([, points]) => [points.map((point) => point?.[0] ?? null), edge(points, 1), edge(points, -1)]);
  const bands = bots.map((_, at) => ({ series: [3 * at + 2, 3 * at + 3], fill: `${colour(STROKES[at])}30` }));
  draw(holder, division.rated_blocks, series, bands, columns, "Elo");
}

const source = document.getElementById("history");
const told = await (await fetch(source.dataset.from)).json();
for (const holder of document.querySelectorAll("[data-chart]")) {
  const division = told.divisions[Number(holder.dataset.chart)];
  if (holder.dataset.bands) rated(holder, division);
  else live(holder, division);
}
