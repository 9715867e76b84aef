// Asks for the exact figures of what stands in the grid, as one types.
const form = document.getElementById("paytable");
const QUIET_MS = 120;
let timer = 0;
let asked = 0;

function say(root, name, text) {
  const place = root.querySelector(`[data-figure="${name}"]`);
  if (place) place.textContent = text;
}

function show(wagers) {
  for (const part of form.querySelectorAll("[data-wager]")) {
    const told = wagers[part.dataset.wager];
    if (!told) continue;
    for (const row of part.querySelectorAll("[data-line]")) {
      const line = told.lines[row.dataset.line];
      say(row, "back", line.back);
      say(row, "delta", line.delta);
      row.classList.toggle("changed", line.changed);
    }
    for (const [name, text] of Object.entries(told.figures)) say(part, name, text);
    say(part, "returned", told.returned);
    say(part, "change", told.change || "as live");
    part.querySelector(".not-allowed").hidden = told.allowed;
    part.querySelector('[data-mark="draft"]')?.setAttribute("cx", told.draft);
  }
}

async function price() {
  const mine = ++asked;
  form.classList.add("is-busy");
  try {
    const answer = await fetch(form.dataset.figures, { method: "POST", body: new FormData(form) });
    const told = await answer.json();
    if (mine !== asked) return;
    form.querySelector("#paytable-problem")?.remove();
    if (answer.ok) show(told);
    else problem(told.problem ?? "The figures cannot be worked out.");
  } catch {
    if (mine === asked) problem("The house does not answer: these figures are of before.");
  } finally {
    if (mine === asked) form.classList.remove("is-busy");
  }
}

function problem(text) {
  const line = document.createElement("p");
  line.id = "paytable-problem";
  line.className = "need is-crit";
  line.setAttribute("role", "alert");
  line.textContent = text;
  form.querySelector("#paytable-problem")?.remove();
  form.prepend(line);
}

form.addEventListener("input", (event) => {
  if (!event.target.matches("[name^='pays.'], [name='qualifier'], [name='tie']")) return;
  clearTimeout(timer);
  timer = setTimeout(price, QUIET_MS);
});
