// What a board still lacks before a match can begin, in words.

import { cameraText } from "./cameras.js";
import { missingTexts } from "./missing.js";
import { text } from "./words.js";

/** Nothing when the board is ready, or already played on. */
export function lacks(board, camera) {
  if (!camera) return [text("setup.no_camera")];
  if (camera.state !== "live" || camera.found === false) return [cameraText(camera)];
  if (board.state !== "waiting") return [];
  const missing = missingTexts(board.missing, 8);
  return missing.length ? missing : [text("state.waiting")];
}
