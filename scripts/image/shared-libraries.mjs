// Finds the shared libraries of a program in a root file system, which need not be that of this machine.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readElf } from './elf.mjs';

const triplets = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const maxLinks = 40;

/**
 * Follows symbolic links as a process does whose root is `sysroot`: an absolute target begins there again.
 *
 * @returns {string | undefined} the path of the file on this machine; undefined if there is none
 */
export function resolveIn(sysroot, path, links = maxLinks) {
  let reached = '/';
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  for (const [index, name] of names.entries()) {
    const next = join(reached, name);
    const found = lstatSync(join(sysroot, next), { throwIfNoEntry: false });
    if (found === undefined || links === 0) return undefined;
    if (found.isSymbolicLink()) {
      const target = readlinkSync(join(sysroot, next));
      const rest = names.slice(index + 1).join('/');
      return resolveIn(sysroot, join('/', target.startsWith('/') ? '' : reached, target, rest), links - 1);
    }
    reached = next;
  }
  return join(sysroot, reached);
}

/**
 * @param {string} sysroot
 * @param {string} program a path on this machine
 * @returns {Map<string, string>} the loader and all libraries, directly needed or not: the path that each has in a root
 * file system, and the file on this machine
 */
export function sharedLibraries(sysroot, program) {
  const { architecture, interpreter } = readElf(program);
  const found = new Map();
  const add = (path, file) => {
    if (found.has(path)) return;
    found.set(path, file);
    for (const name of readElf(file).needed)
      add(...findLibrary({ sysroot, name, architecture, interpreter }));
  };
  if (interpreter === undefined) throw new Error(`${program} has no loader, so its libraries are not known`);
  add(interpreter, required(sysroot, interpreter, program));
  for (const name of readElf(program).needed)
    add(...findLibrary({ sysroot, name, architecture, interpreter }));
  return found;
}

function findLibrary({ sysroot, name, architecture, interpreter }) {
  const triplet = triplets[architecture];
  const folders = [`/lib/${triplet}`, `/usr/lib/${triplet}`, '/lib64', '/usr/lib64', '/lib', '/usr/lib'];
  // The loader is also a library, and must not be there twice.
  const paths = [interpreter, ...folders.map((folder) => `${folder}/${name}`)].filter(
    (path) => path.endsWith(`/${name}`) && isFor(resolveIn(sysroot, path), architecture),
  );
  if (paths.length === 0) throw new Error(`the library ${name} for ${architecture} is not in ${sysroot}`);
  return [paths[0], required(sysroot, paths[0], name)];
}

function isFor(file, architecture) {
  return file !== undefined && existsSync(file) && readElf(file).architecture === architecture;
}

function required(sysroot, path, needing) {
  const file = resolveIn(sysroot, path);
  if (file === undefined) throw new Error(`${needing} needs ${path}, which is not in ${sysroot}`);
  return file;
}
