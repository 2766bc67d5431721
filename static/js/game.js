// The game page.
import "./screen.js";
import "./game/updates.js";
import "./game/board.js";
import "./game/confirm.js";
import "./game/replay.js";
import "./game/score.js";
import "./game/view.js";
import "./game/keyboard.js";
import "./game/premove.js";
import "./game/obstacles.js";
import "./game/sending.js";
import "./game/sounds.js";
import "./chat.js";
import "./clock.js";
