// The sound of a disk on wood.
const GAINS = { low: 0.08, medium: 0.25, high: 0.7 };

/** @type {AudioContext | null} */
let context = null;

/**
 * Plays a tap.
 * @param {number} pitch in hertz
 * @param {string | undefined} volume low, medium or high
 */
export function tap(pitch, volume) {
  context ??= new AudioContext();
  const at = context.currentTime;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + 0.08);
  gain.gain.setValueAtTime(GAINS[/** @type {keyof GAINS} */ (volume ?? "medium")], at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.13);
}
