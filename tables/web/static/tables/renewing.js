// When a screen's page loads itself anew, and how often at most.

const NOT_AGAIN_MS = { refused: 5000, broken: 10000, build: 60000 };
const KEPT = "renewed_at";

/**
 * A function that loads the page anew, by why: at once where the house says what this screen is
 * now, and not again and again where it refuses or two of its servers disagree.
 */
export function renewer(world = globalThis) {
  return (why) => {
    const now = world.Date.now();
    const last = Number(world.sessionStorage.getItem(KEPT) ?? 0);
    if (now - last < (NOT_AGAIN_MS[why] ?? 0)) return false;
    world.sessionStorage.setItem(KEPT, String(now));
    world.location.reload();
    return true;
  };
}
