// Steps through a hand; without it the whole story stands there at once.
const steps = [...document.querySelectorAll(".replay > li")];
const keys = document.querySelector(".replay-keys");
let shown = steps.length;

function show(count) {
  shown = Math.max(1, Math.min(steps.length, count));
  steps.forEach((step, at) => {
    step.hidden = at >= shown;
    step.classList.toggle("is-now", at === shown - 1 && shown < steps.length);
  });
}

const MOVES = { first: () => 1, back: () => shown - 1, on: () => shown + 1, last: () => steps.length };
keys?.addEventListener("click", (event) => {
  const move = MOVES[event.target.closest("[data-step]")?.dataset.step];
  if (move) show(move());
});
if (keys && steps.length > 1) keys.hidden = false;
