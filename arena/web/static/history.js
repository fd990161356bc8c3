// Live Elo over blocks, drawn by uPlot; the table below the chart says the same without script.
const LINES = 8;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const STROKES = ["--seat-0", "--seat-1", "--seat-2", "--seat-3", "--seat-4", "--seat-5", "--quiet", "--text"];

function draw(holder, division) {
  const bots = Object.entries(division.bots).filter(([, line]) => line.some((elo) => elo !== null)).slice(0, LINES);
  const axis = { stroke: colour("--text"), grid: { stroke: colour("--line") }, ticks: { stroke: colour("--line") } };
  const options = {
    width: holder.clientWidth,
    height: 320,
    scales: { x: { time: false } },
    axes: [{ ...axis, label: "block", incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000] }, { ...axis, label: "live Elo", size: 60 }],
    series: [
      { label: "block" },
      ...bots.map(([name], at) => ({
        label: name, stroke: colour(STROKES[at]), width: 2, spanGaps: true, points: { show: false }, dash: at > 3 ? [6, 4] : [],
      })),
    ],
  };
  const chart = new uPlot(options, [division.blocks, ...bots.map(([, line]) => line)], holder);
  new ResizeObserver(() => chart.setSize({ width: holder.clientWidth, height: 320 })).observe(holder);
}

const source = document.getElementById("history");
const told = await (await fetch(source.dataset.from)).json();
for (const holder of document.querySelectorAll("[data-chart]")) {
  draw(holder, told.divisions[Number(holder.dataset.chart)]);
}
