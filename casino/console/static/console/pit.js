// Keeps the floor fresh, counts its clocks down and takes keys. Without it the page still works.
import { asked } from "./asking.js";

const EVERY_MS = 2000;
const STALE_MS = 8000;
const KEYS = "opsdcva";

const live = document.getElementById("pit-live");
const link = document.getElementById("pit-link");
const parser = new DOMParser();
const told = new Map();
let skew = Date.parse(live.dataset.now) - Date.now();
let heard = Date.now();

function parts(root) {
  return ["lead", "house-alerts"].map((id) => root.getElementById(id));
}

// Only what changed is put in, so that a focus or a half-pressed button stays where it is.
function show(text) {
  const fresh = parser.parseFromString(text, "text/html");
  for (const part of parts(fresh)) swap(document.getElementById(part.id), part);
  const tiles = document.getElementById("tiles");
  const order = [...fresh.getElementById("tiles").children];
  for (const tile of order) {
    const here = document.getElementById(tile.id);
    if (here) swap(here, tile);
    else tiles.append(tile);
  }
  const ids = order.map((tile) => tile.id);
  for (const tile of [...tiles.children]) if (!ids.includes(tile.id)) tile.remove();
  if ([...tiles.children].some((tile, at) => tile.id !== ids[at])) {
    const held = document.activeElement?.closest?.(".tile")?.id;
    for (const id of ids) tiles.append(document.getElementById(id));
    if (held) document.getElementById(held)?.focus();
  }
}

function swap(here, fresh) {
  const text = fresh.outerHTML.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
  if (told.get(fresh.id) === text) return;
  told.set(fresh.id, text);
  const held = here.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.dataset?.key;
  here.replaceWith(fresh);
  if (held) (key && fresh.querySelector(`[data-key="${key}"]`) || fresh).focus();
}

async function refresh() {
  if (!document.hidden) {
    try {
      const answer = await fetch(live.dataset.url, { headers: { Accept: "text/html" }, redirect: "error" });
      if (answer.ok) {
        skew = Date.parse(answer.headers.get("X-Server-Now")) - Date.now();
        show(await answer.text());
        heard = Date.now();
      }
    } catch {
      // The line below the tiles says how old they are.
    }
    const age = Date.now() - heard;
    link.textContent = age < STALE_MS ? live.dataset.live : live.dataset.stale.replace("{0}", Math.round(age / 1000));
    link.classList.toggle("is-stale", age >= STALE_MS);
  }
  setTimeout(refresh, EVERY_MS);
}

function count() {
  const now = Date.now() + skew;
  for (const clock of document.querySelectorAll(".clock")) {
    const seconds = Math.max(0, Math.round((Date.parse(clock.dataset.deadline) - now) / 1000));
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
}

function step(tile, by) {
  const all = [...document.querySelectorAll(".tile")];
  const next = all[(all.indexOf(tile) + by + all.length) % all.length];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  const tile = document.activeElement?.closest?.(".tile");
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    event.preventDefault();
    step(tile, event.key === "ArrowRight" ? 1 : -1);
  } else if (tile && KEYS.includes(event.key.toLowerCase())) {
    tile.querySelector(`[data-key="${event.key.toLowerCase()}"]`)?.click();
  }
});
live.addEventListener("click", asked);
setInterval(count, 250);
count();
setTimeout(refresh, EVERY_MS);
