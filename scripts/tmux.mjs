// tmux, the terminal in which tests look at screens. It comes from the system's packages, not from a cache of ours.
import { spawnSync } from 'node:child_process';

/** @returns {boolean} whether tmux can be run */
export function hasTmux() {
  return spawnSync('tmux', ['-V']).status === 0;
}

/** Installs it with apt where that is possible, and says what to do where it is not. */
export async function installTmux() {
  const { status, stderr, error } = spawnSync('apt-get', ['install', '--yes', '--quiet', 'tmux'], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0 && hasTmux()) return;
  const reason = error === undefined ? stderr.trim().split('\n').at(-1) : 'there is no apt-get';
  throw new Error(`cannot install tmux: ${reason}; install it with your package manager`);
}
