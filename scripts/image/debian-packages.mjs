// The Debian packages that files of a root file system belong to: name, version and licence of each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { resolveIn } from './shared-libraries.mjs';

/**
 * @typedef {object} DebianPackage
 * @property {string} name
 * @property {string} version
 * @property {string} [copyright] the file with its licence, on this machine
 *
 * @param {string} sysroot
 * @param {readonly string[]} paths in the root file system
 * @returns {DebianPackage[]} by name; empty if the root file system has no Debian packages
 */
export function debianPackages(sysroot, paths) {
  const info = join(sysroot, 'var', 'lib', 'dpkg', 'info');
  if (!existsSync(info)) return [];
  // A package lists its files by the path before or after /lib became a link to /usr/lib, and a link's target.
  const wanted = new Set(paths.flatMap((path) => spellings(sysroot, path)));
  const versions = installedVersions(join(sysroot, 'var', 'lib', 'dpkg', 'status'));
  return readdirSync(info)
    .filter((file) => file.endsWith('.list'))
    .filter((file) =>
      readFileSync(join(info, file), 'utf8')
        .split('\n')
        .some((line) => wanted.has(line)),
    )
    .map((file) => basename(file, '.list').replace(/:.*/, ''))
    .sort()
    .map((name) => describe(sysroot, name, versions));
}

function spellings(sysroot, path) {
  const real = resolveIn(sysroot, path)?.slice(sysroot === '/' ? 0 : sysroot.length);
  return [path, real ?? path].flatMap((each) => [each, each.replace(/^\/usr(?=\/lib)/, '')]);
}

function describe(sysroot, name, versions) {
  const copyright = resolveIn(sysroot, `/usr/share/doc/${name}/copyright`);
  return { name, version: versions.get(name) ?? '', ...(copyright === undefined ? {} : { copyright }) };
}

function installedVersions(status) {
  const entries = readFileSync(status, 'utf8').split('\n\n');
  return new Map(
    entries.map((entry) => [/^Package: (.*)$/m.exec(entry)?.[1], /^Version: (.*)$/m.exec(entry)?.[1]]),
  );
}
