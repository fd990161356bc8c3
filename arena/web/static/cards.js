// Cards, dice and tokens as SVG, from what the server says about a face.  No game is known here.
const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

export function html(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside.filter((part) => part !== null && part !== undefined));
  return made;
}

const write = (text, attributes) => svg("text", attributes, String(text));

function frame(label, kind, ...inside) {
  return svg("svg", { class: `card ${kind}`, viewBox: "0 0 60 84", role: "img", "aria-label": label }, svg("title", {}, label), ...inside);
}

export function card(look, copies = 1) {
  const parts = [svg("rect", { class: `edge t${look.tone ?? 0}`, x: 1, y: 1, width: 58, height: 82, rx: 7 })];
  const big = look.big ?? "";
  if (look.shape) {
    const low = big ? 25 : 14;
    parts.push(svg("use", { href: `#${look.shape}`, x: big ? 11 : 6, y: low, width: big ? 40 : 48, height: big ? 40 : 48 }));
  }
  if (big) {
    const size = big.length > 4 ? 14 : big.length > 2 ? 18 : 24;
    const middle = look.shape ? { x: 5, y: 22 } : { x: 30, y: 50, "text-anchor": "middle" };
    parts.push(write(big, { ...middle, "font-size": size }));
  }
  if (look.small) {
    const size = look.small.length > 8 ? 8 : 10;
    parts.push(write(look.small, { class: "small", x: 30, y: look.shape || big ? 78 : 46, "text-anchor": "middle", "font-size": size }));
  }
  for (let pip = 0; pip < Math.min(look.pips ?? 0, 5); pip += 1) {
    const wide = (look.pips - 1) * 10 + 13;
    parts.push(svg("use", { href: "#pillow", x: 30 - wide / 2 + pip * 10, y: 68, width: 13, height: 10 }));
  }
  if ((look.pips ?? 0) > 5) parts.push(write(look.pips, { class: "small", x: 50, y: 78 }));
  if (copies > 1) parts.push(write(`×${copies}`, { class: "count", x: 55, y: 19, "text-anchor": "end" }));
  return frame(copies > 1 ? `${copies} times ${look.words}` : look.words, "", ...parts);
}

export function back(count, kind = "") {
  const weave = "M6 20L40 80M6 50L24 80M20 6L54 66M40 6L54 34M6 66L40 6M20 80L54 20M6 34L24 6M40 80L54 50";
  const label = `${count} face-down ${kind ? `${kind} ` : ""}card${count === 1 ? "" : "s"}`;
  return frame(label, "back",
    svg("rect", { class: "edge", x: 1, y: 1, width: 58, height: 82, rx: 7 }),
    svg("path", { class: "weave", d: weave }),
    ...(count > 1 ? [write(`×${count}`, { x: 30, y: 49, "text-anchor": "middle", "font-size": 20 })] : []));
}

const OUTLINES = {
  8: "M29 3L55 29L29 55L3 29Z",
  10: "M29 3L55 22L45 53H13L3 22Z",
  12: "M21 3H37L51 12L56 29L51 46L37 55H21L7 46L2 29L7 12Z",
};

export function die(sides, shows, kept) {
  const label = `d${sides}${shows ? ` shows ${shows}` : ", not rolled"}${kept ? ", kept" : ""}`;
  return svg("svg", { class: `die${kept ? " kept" : ""}`, viewBox: "0 0 58 72", role: "img", "aria-label": label },
    svg("title", {}, label),
    svg("path", { d: OUTLINES[sides] ?? "M5 5H53V53H5Z" }),
    write(shows || "–", { x: 29, y: 37, "font-size": 22 }),
    write(`d${sides}${kept ? " kept" : ""}`, { class: "dielabel", x: 29, y: 70 }));
}

export function token(seat, extra = "") {
  return html("span", { class: `dot seat${seat % 6} ${extra}`, role: "img", "aria-label": `seat ${seat}` }, String(seat));
}

export function picture(shape) {
  return svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, svg("use", { href: `#${shape}` }));
}
