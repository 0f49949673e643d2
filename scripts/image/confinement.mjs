// Runs programs in a root file system as a pod does: as the user of the image, with a read-only root, without
// privileges. That needs root on Linux; otherwise the program runs as it is, with the Node of the root file system.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { userId } from './root-files.mjs';

/** The mounts are gone with the process, because they are in its own namespace. */
const enter = `
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
root=$1 scratch=$2; shift 2
mount --bind "$root" "$root" && mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" &&
mount --bind "$scratch" "$root/tmp" && mount -o remount,bind,ro "$root" &&
exec setpriv --no-new-privs chroot --userspec=${userId}:${userId} "$root" "$@"`;

/**
 * @typedef {object} Confinement
 * @property {boolean} isConfined
 * @property {string} scratch where programs in it see the directory that they share with this process
 * @property {(command: readonly string[]) => [string, string[]]} command to run for a command of the image
 *
 * @param {string} root the root file system
 * @param {string} scratch a directory that programs in it may read
 * @returns {Confinement}
 */
export function confinement(root, scratch) {
  const inside = (command) => [
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', enter, 'sh', root, scratch, ...command],
  ];
  if (canRun(inside)) return { isConfined: true, scratch: '/tmp', command: inside };
  const absolute = (argument) => (argument.startsWith('/app/') ? join(root, argument) : argument);
  return {
    isConfined: false,
    scratch,
    command: ([program, ...args]) => [join(root, program), args.map(absolute)],
  };
}

function canRun(inside) {
  if (process.getuid?.() !== 0) return false;
  const [program, args] = inside(['/usr/local/bin/node', '--version']);
  return spawnSync(program, args).status === 0;
}
