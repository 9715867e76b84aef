// Buttons that lead to a confirmation show it over the page.
import { asked } from "./asking.js";

document.querySelector(".console").addEventListener("click", (event) => {
  if (event.target.closest("a.button[data-asks]")) asked(event);
});
