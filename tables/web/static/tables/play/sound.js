// One short tone when it is the reader's turn, made by the browser itself; off unless he wants it.

let context = null;

export function chime() {
  const Context = globalThis.AudioContext;
  if (!Context) return;
  context ??= new Context();
  const tone = context.createOscillator();
  const volume = context.createGain();
  const now = context.currentTime;
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.35);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.35);
}
