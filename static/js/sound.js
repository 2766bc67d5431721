// The sound of a disk on wood: a knock, which is noise through a narrow filter, and the board's low answer. It is
// computed, so it comes with no recording and no licence but that of this code.
const GAINS = { low: 0.08, medium: 0.25, high: 0.7 };
const LENGTH = 0.14; // seconds

/** @type {AudioContext | null} */
let context = null;

// Browsers let a page be heard only after its reader has pressed something, and Safari only if the context is made or
// resumed right then.
function wake() {
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => {});
  return context;
}

for (const gesture of ["pointerdown", "pointerup", "keydown"]) {
  addEventListener(gesture, () => document.documentElement.dataset.sounds === "on" && wake());
}

/** @param {AudioContext} audio */
function noise(audio) {
  const buffer = audio.createBuffer(1, audio.sampleRate * LENGTH, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = 2 * Math.random() - 1;
  return new AudioBufferSourceNode(audio, { buffer });
}

/**
 * Plays a tap.
 * @param {number} pitch in hertz
 * @param {string | undefined} volume low, medium or high
 */
export function tap(pitch, volume) {
  if (navigator.userActivation?.hasBeenActive === false) return; // it would be heard later, at the reader's first gesture
  const audio = wake();
  const at = audio.currentTime;
  const loud = GAINS[/** @type {keyof GAINS} */ (volume ?? "medium")];
  const knock = new BiquadFilterNode(audio, { type: "bandpass", frequency: 3 * pitch, Q: 4 });
  const answer = new OscillatorNode(audio, { type: "sine", frequency: pitch / 2 });
  for (const [source, gain, end] of /** @type {const} */ ([
    [knock, 2 * loud, 0.04],
    [answer, loud, LENGTH],
  ])) {
    const fading = new GainNode(audio);
    fading.gain.setValueAtTime(gain, at);
    fading.gain.exponentialRampToValueAtTime(0.001, at + end);
    source.connect(fading).connect(audio.destination);
  }
  const struck = noise(audio);
  struck.connect(knock);
  for (const source of [struck, answer]) {
    source.start(at);
    source.stop(at + LENGTH);
  }
}
