// The table: seats with what lies before them, and the middle.  Laid out from the server's description alone.
import { back, card, die, html, picture, token } from "./cards.js";

const MANY = 8;
const MANY_STACKED = 4;

export class Table {
  constructor(holder, described) {
    this.holder = holder;
    this.it = described;
    this.order = Object.keys(described.looks);
    this.bottom = 0;
  }

  draw(position) {
    const { it } = this;
    const seats = it.seats.map((_, at) => (at + this.bottom + 1) % it.seats.length);
    this.position = position;
    const middle = it.rows.map((row) => html("div", { class: "middle" }, ...row.flatMap((name) => this.zones(name))));
    this.holder.replaceChildren(
      html("div", { class: "seats" }, ...seats.slice(0, -1).map((seat) => this.seat(seat))),
      this.values(),
      ...middle,
      html("div", { class: "seats" }, this.seat(seats.at(-1))),
    );
  }

  seat(seat) {
    const { it, position } = this;
    const who = it.seats[seat];
    const asked = position.asked.includes(seat);
    const ended = position.asked.length === 0;
    const badge = asked ? "to act" : ended ? `place ${who.place}, ${who.points} points` : "";
    const heading = html("h3", {}, token(seat), html("span", {}, who.bot), badge ? html("span", { class: "badge" }, badge) : null);
    const told = it.seat_values.map((name) => [name, position.values[name]?.[seat]]).filter(([, value]) => value !== undefined);
    if (it.won) {
      const won = (position.values[it.won.value] ?? []).flatMap((owner, at) => (owner === seat ? [it.won.names[at]] : []));
      if (won.length) told.push(["breeds won", won.join(" ")]);
    }
    const zones = it.seat_zones.map((name) => this.zone(`${name}.${seat}`, it.zones[name].title, it.zones[name]));
    return html("section", { class: `seat${asked ? " asked" : ""}`, "data-seat": seat }, heading, pairs(told), html("div", { class: "zones" }, ...zones));
  }

  values() {
    const told = this.it.values.map((name) => [name, this.position.values[name]]);
    const line = pairs(told.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)));
    line.classList.add("middle");
    if (this.it.dice) line.append(this.dice());
    return line;
  }

  dice() {
    const { value, sides, kept } = this.it.dice;
    const shows = this.position.values[value] ?? [];
    const held = this.position.values[kept] ?? [];
    return html("div", { class: "dice" }, ...sides.map((side, at) => die(side, shows[at], held.includes(side))));
  }

  zones(name) {
    if (this.it.pasture?.zone === name) return [this.pasture()];
    const about = this.it.zones[name];
    if (!about.count) return [this.zone(name, about.title, about)];
    return Array.from({ length: about.count }, (_, at) => this.zone(`${name}.${at}`, `${about.title} ${at}`, about));
  }

  zone(label, title, about) {
    const heap = this.position.zones[label] ?? 0;
    const size = typeof heap === "number" ? heap : heap.length;
    const touched = this.position.touched.has(label) ? " touched" : "";
    return html("div", { class: `zone${touched}`, "data-zone": label }, html("h4", {}, size > 1 ? `${title} (${size})` : title), this.cards(heap, about));
  }

  cards(heap, about) {
    const size = typeof heap === "number" ? heap : heap.length;
    if (!size) return html("div", { class: "cards none" }, html("span", { class: "nothing" }, "nothing"));
    const known = typeof heap === "number" ? [] : heap.filter((face) => face !== null);
    if (about.sorted) known.sort((one, other) => this.order.indexOf(one) - this.order.indexOf(other));
    const drawn = about.stack ? known.map((face) => [face, 1]) : gathered(known);
    const shown = drawn.map(([face, copies]) => card(this.look(face), copies));
    if (size > known.length) shown.unshift(back(size - known.length, about.back));
    return html("div", { class: `cards${shown.length > (about.stack ? MANY_STACKED : MANY) ? " tight" : ""}` }, ...shown);
  }

  look(face) {
    return this.it.looks[face] ?? { words: face, small: face };
  }

  pasture() {
    const { zone, side, stables, walkers, marks } = this.it.pasture;
    const { values, zones } = this.position;
    const grid = html("div", { class: "pasture", role: "group", "aria-label": "pasture" });
    grid.style.gridTemplateColumns = `repeat(${side + 2}, auto)`;
    const put = (row, column, made) => {
      made.style.gridRow = row + 2;
      made.style.gridColumn = column + 2;
      grid.append(made);
    };
    for (let place = 0; place < 4 * side; place += 1) {
      const standing = (values[walkers] ?? []).flatMap((at, seat) => (at === place ? [token(seat)] : []));
      put(...track(place, side), html("div", { class: "track cell", title: `position ${place}` }, ...standing));
    }
    for (let cell = 0; cell < side * side; cell += 1) {
      const home = stables.indexOf(cell);
      const heap = zones[`${zone}.${cell}`] ?? 0;
      const made = html("div", { class: "cell", title: `row ${Math.floor(cell / side)}, column ${cell % side}` });
      if (home >= 0) made.append(html("span", { class: "stable" }, picture("stable")), token(home, "mark"));
      else made.append(this.top(heap));
      const mark = values[marks]?.[cell];
      if (mark !== null && mark !== undefined) made.append(token(mark, "mark"));
      if (this.position.touched.has(`${zone}.${cell}`)) made.classList.add("touched");
      put(Math.floor(cell / side), cell % side, made);
    }
    return grid;
  }

  top(heap) {
    if (typeof heap === "number") return heap ? back(heap) : html("span", { class: "empty" });
    const face = heap.at(-1);
    return face === null ? back(heap.length) : card(this.look(face));
  }
}

// Positions run along the top, down the right, back along the bottom, up the left.
function track(place, side) {
  const along = place % side;
  return [[-1, along], [along, side], [side, side - 1 - along], [side - 1 - along, -1]][Math.floor(place / side)];
}

function gathered(faces) {
  if (faces.length <= MANY) return faces.map((face) => [face, 1]);
  const counted = new Map();
  for (const face of faces) counted.set(face, (counted.get(face) ?? 0) + 1);
  return [...counted];
}

export function lines(words) {
  return words.map((line) => html("div", { class: line.startsWith(" ") ? "effect" : line.startsWith("Round") ? "heading" : "" }, line.trim()));
}

export function say(value) {
  if (value === null) return "open";
  if (value === true) return "yes";
  if (value === false) return "no";
  return Array.isArray(value) ? value.map(say).join(", ") || "none" : String(value);
}

function pairs(told) {
  return html("div", { class: "values" }, ...told.map(([name, value]) => html("span", {}, `${name.replaceAll("_", " ")} `, html("b", {}, say(value)))));
}
