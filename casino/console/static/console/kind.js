// A kind of table or a game being filled in: what matters is shown, the deal told as one types.
const WAIT_MS = 300;
const form = document.getElementById("kind");
const told = document.getElementById("told");
const of = document.getElementById("kind-of");
let timer = 0;
let asked = 0;

of?.addEventListener("change", () => of.submit());
of?.querySelector("button")?.setAttribute("hidden", "");

function shownFor() {
  const limit = form.elements["o.limit"]?.value;
  for (const field of form.querySelectorAll("[data-limits]")) {
    field.hidden = Boolean(limit) && !field.dataset.limits.split(" ").includes(limit);
  }
  for (const row of form.querySelectorAll("[data-row]")) {
    const word = row.querySelector("[data-word]")?.value;
    for (const cell of row.querySelectorAll("[data-words]")) {
      const is = cell.dataset.words.split(" ").includes(word);
      cell.hidden = !is;
      for (const input of cell.querySelectorAll("input, select")) input.disabled = !is;
    }
  }
}

async function tell() {
  const mine = ++asked;
  let answer;
  try {
    answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), redirect: "error" });
  } catch {
    return; // The form still works; keeping it says what is wrong.
  }
  if (!answer.ok || mine !== asked) return;
  const said = await answer.json();
  told.innerHTML = said.told;
  for (const field of form.querySelectorAll("[data-field]")) {
    const input = field.querySelector("input, select");
    const wrong = said.errors[field.dataset.field]?.[0];
    const isTouched = field.dataset.touched || input?.value;
    const note = field.querySelector("[data-error]");
    note.textContent = wrong && isTouched ? wrong : "";
    note.hidden = !note.textContent;
    if (note.textContent) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  }
}

function soon(event) {
  const field = event?.target?.closest?.("[data-field]");
  if (field) field.dataset.touched = "1";
  shownFor();
  clearTimeout(timer);
  timer = setTimeout(tell, WAIT_MS);
}

function renumbered() {
  for (const list of form.querySelectorAll(".rows")) {
    [...list.children].forEach((row, nth) => {
      for (const input of row.querySelectorAll("[name]")) {
        input.name = input.name.replace(/^(\w+)\.\w+\./, `$1.${nth}.`);
      }
    });
  }
}

form.addEventListener("input", soon);
form.addEventListener("change", soon);
form.addEventListener("click", (event) => {
  const button = event.target.closest("button[type=button]");
  if (!button) return;
  const row = button.closest("[data-row]");
  const list = row?.parentElement;
  if (button.dataset.add) {
    const added = document.getElementById(`empty-${button.dataset.add}`).content.cloneNode(true);
    document.getElementById(button.dataset.add).append(added);
    renumbered();
    document.getElementById(button.dataset.add).lastElementChild.querySelector("select, input").focus();
  } else if (button.dataset.move === "up" && row.previousElementSibling) {
    list.insertBefore(row, row.previousElementSibling);
    button.focus();
  } else if (button.dataset.move === "down" && row.nextElementSibling) {
    list.insertBefore(row.nextElementSibling, row);
    button.focus();
  } else if (button.dataset.move === "off") {
    row.remove();
  }
  renumbered();
  soon();
});
shownFor();
tell();
