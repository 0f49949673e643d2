// Programs that tests need and that come from the system's packages, not from a cache of ours.
import { spawnSync } from 'node:child_process';

/** @param {string} program */
export const canRun = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/**
 * Installs packages with apt where that is possible, and says what to do where it is not.
 *
 * @param {string[]} packages
 */
export function installPackages(packages) {
  const { status, stderr, error } = spawnSync('apt-get', ['install', '--yes', '--quiet', ...packages], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0) return;
  const reason = error === undefined ? stderr.trim().split('\n').at(-1) : 'there is no apt-get';
  throw new Error(`cannot install ${packages.join(', ')}: ${reason}; install them with your package manager`);
}
