// Short cues, each beside something that shows the same: a screen without sound tells no less.

const CUES = {
  turn: [[660, 0, 0.09]],
  closing: [[880, 0, 0.07], [880, 0.14, 0.07]],
  closed: [[523, 0, 0.12], [392, 0.14, 0.2]],
  stale: [[220, 0, 0.25], [220, 0.35, 0.25]],
};

/** What is to be heard as the screen goes from one moment to the next; null for nothing. */
export function cueOf(former, now) {
  if (now.stale) return former.stale ? null : "stale";
  if (former.stale || former.hand !== now.hand) return null; // what is new is not a change of it
  if (now.closed && !former.closed) return "closed";
  if (now.left_s !== null && now.left_s <= 5 && now.turn === former.turn && former.left_s > 5) return "closing";
  return now.turn !== former.turn && now.turn !== null ? "turn" : null;
}

/** The facts of a moment that may be heard. */
export function momentOf(state, stale, left_s) {
  const { hand } = state;
  const { view } = hand ?? {};
  return {
    stale,
    hand: hand?.id ?? null,
    turn: view?.waiting?.length ? hand.turn?.turn_id ?? null : null,
    closed: view?.family === "banked" && view.phase !== "betting",
    left_s,
  };
}

/** Plays cues once somebody has touched the page, or where the browser needs no touch. */
export function player(world = globalThis) {
  let context = null;
  return (cue) => {
    context ??= new world.AudioContext();
    if (context.state === "suspended") context.resume();
    for (const [hertz, after_s, for_s] of CUES[cue]) {
      const tone = context.createOscillator();
      const level = context.createGain();
      const from = context.currentTime + after_s;
      tone.frequency.value = hertz;
      level.gain.setValueAtTime(0.0001, from);
      level.gain.exponentialRampToValueAtTime(0.2, from + 0.01);
      level.gain.exponentialRampToValueAtTime(0.0001, from + for_s);
      tone.connect(level).connect(context.destination);
      tone.start(from);
      tone.stop(from + for_s);
    }
  };
}
