// Chromium, in which the page is tested, and a font with Korean letters for the pictures of it.
import { canRun, installPackages } from './apt-packages.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** @returns {string | undefined} the program to run */
export function chromiumProgram() {
  return names.find(canRun);
}

export async function installChromium() {
  installPackages(['chromium', 'fonts-noto-cjk']);
}
