// tmux, in which tests look at screens, and the shells that completion is tried in. They come from the system's
// packages, not from a cache of ours.
import { spawnSync } from 'node:child_process';

const programs = ['tmux', 'bash', 'zsh', 'fish'];

/** @returns {string[]} the programs that cannot be run */
export function missingTerminalPrograms() {
  return programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
}

/** Installs them with apt where that is possible, and says what to do where it is not. */
export async function installTerminalPrograms() {
  const missing = missingTerminalPrograms();
  const { status, stderr, error } = spawnSync('apt-get', ['install', '--yes', '--quiet', ...missing], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0 && missingTerminalPrograms().length === 0) return;
  const reason = error === undefined ? stderr.trim().split('\n').at(-1) : 'there is no apt-get';
  throw new Error(`cannot install ${missing.join(', ')}: ${reason}; install them with your package manager`);
}
