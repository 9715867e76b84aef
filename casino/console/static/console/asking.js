// Shows a confirmation over the page it is asked from; without this it is a page of its own.
const parser = new DOMParser();

export async function asked(event) {
  const link = event.target.closest("a.button[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  let form;
  try {
    const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
    form = parser.parseFromString(await answer.text(), "text/html").querySelector("[data-fragment]");
  } catch {
    form = null;
  }
  if (!form) {
    location.assign(link.href);
    return;
  }
  const dialog = document.createElement("dialog");
  dialog.className = "console";
  dialog.append(form);
  form.action = link.href;
  dialog.setAttribute("aria-label", form.querySelector("h2")?.textContent ?? "");
  dialog.addEventListener("close", () => {
    dialog.remove();
    link.isConnected ? link.focus() : null;
  });
  form.querySelector("[data-close]")?.addEventListener("click", (click) => {
    click.preventDefault();
    dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  (form.querySelector("select, input:not([type=hidden]), button") ?? form).focus();
}
