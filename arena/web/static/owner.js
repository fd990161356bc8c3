// What only a bot's owner may read: asked for with the token, which stays in this page and nowhere else.
import { html } from "./cards.js";

const form = document.getElementById("owner");
const told = document.getElementById("owner-told");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await fetch(form.dataset.from, { headers: { authorization: `Bearer ${form.elements.token.value.trim()}` } });
  const groups = await answer.json();
  if (!answer.ok) {
    told.replaceChildren(html("p", { class: "failed" }, groups.error));
    return;
  }
  form.elements.token.value = "";
  const shown = groups.map((group) => html(
    "details",
    { open: "" },
    html("summary", {}, `${group.code}: ${group.count} times, ${group.forfeits} forfeited, last ${group.last.slice(0, 19)}, `, html("a", { href: `/m/${group.match}?seat=${group.seat}` }, group.match)),
    html("pre", { tabindex: "0" }, group.stderr || "It wrote nothing."),
  ));
  told.replaceChildren(...(shown.length ? shown : [html("p", {}, "It has never failed, so nothing it wrote was kept.")]));
});
