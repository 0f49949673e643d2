// tmux, in which tests look at screens, and the shells that completion is tried in.
import { canRun, installPackages } from './apt-packages.mjs';

const programs = ['tmux', 'bash', 'zsh', 'fish'];

/** @returns {string[]} the programs that cannot be run */
export function missingTerminalPrograms() {
  return programs.filter((program) => !canRun(program));
}

export async function installTerminalPrograms() {
  installPackages(missingTerminalPrograms());
}
