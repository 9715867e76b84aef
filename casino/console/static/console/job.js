// Bars of long work: asked for how far it is until it is over, then the page is shown anew.
const EVERY_MS = 700;

async function follow(bar) {
  try {
    const answer = await fetch(`/admin/jobs/${bar.dataset.job}/`, { redirect: "error" });
    if (answer.ok) {
      const job = await answer.json();
      bar.value = job.percent;
      if (job.status === "done" || job.status === "failed") {
        location.reload();
        return;
      }
    }
  } catch {
    // The next question may be answered.
  }
  setTimeout(() => follow(bar), EVERY_MS);
}

for (const bar of document.querySelectorAll("progress[data-job]")) follow(bar);
