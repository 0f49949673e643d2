// A second Node version for the tests: the one in our images, newer than the oldest supported one. It comes
// as an npm package, once per machine, into the user's cache directory.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, cacheDirectory } from './go-programs.mjs';

/** The version in the images. */
export const nodeVersion = '24.21.0';
const packageName = `node-${process.platform}-${process.arch}`;

/** @returns {{ path: string, exists: boolean }} path of the program, and whether it exists */
export function otherNode() {
  const path = join(directory(), 'node_modules', packageName, 'bin', 'node');
  return { path, exists: existsSync(path) };
}

export const otherNodeVersion = nodeVersion.split('.')[0];

function directory() {
  return join(cacheDirectory(), `node-${nodeVersion}`);
}

/** @returns {Promise<string>} path of the program */
export async function provideOtherNode() {
  const { path, exists } = otherNode();
  if (exists) return path;
  await buildOnce(directory(), async (unfinished) => {
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'package.json'), '{ "private": true }\n');
    const wanted = `${packageName}@${nodeVersion}`;
    const result = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', wanted], {
      cwd: unfinished,
      encoding: 'utf8',
    });
    if (result.status !== 0)
      throw new Error(`cannot install ${wanted}: ${result.stderr?.trim() || result.error}`);
  });
  return path;
}
