// Digits for a screen without a keyboard.

const pad = document.querySelector(".keypad");
const field = document.getElementById("code");

pad.hidden = false;
pad.addEventListener("click", ({ target }) => {
  const key = target.value;
  if (!key) return; // the one that sends
  field.value = key === "back" ? field.value.slice(0, -1) : (field.value + key).slice(0, 8);
});
