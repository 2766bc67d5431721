// The button in the settings that plays the sounds at the volume that is chosen there.
import { tap } from "./sound.js";

document.querySelector("[data-test-sound]").addEventListener("click", (event) => {
  const volume = new FormData(event.target.form).get("volume");
  tap(440, volume);
  setTimeout(() => tap(220, volume), 350);
});
