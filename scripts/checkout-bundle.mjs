// The bundle that bin/karpenter runs: built when a source file has changed, and kept under a fingerprint of all of them.
// A running process imports parts of its bundle late, so a bundle never changes once it is in place, and the last few stay.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, fail, root, run } from './prepare.mjs';

const cache = join(root, 'node_modules', '.cache', 'karpenter');
const keptBundles = 8;
const abandonedAfterMs = 10 * 60_000;

/** @returns {string} the path of the program, up to date with the sources */
export function checkoutBundle() {
  ensureInstalled();
  const directory = join(cache, fingerprint(root));
  const program = join(directory, 'karpenter.mjs');
  if (existsSync(program)) utimesSync(directory, new Date(), new Date());
  else build(directory);
  return program;
}

/** Of names, sizes and times of change rather than of contents, which would take longer than most commands. */
export function fingerprint(checkout) {
  const hash = createHash('sha256');
  const add = (path) => {
    // Absent where a folder is left of a package of another branch, or a link leads nowhere.
    const found = statSync(join(checkout, path), { throwIfNoEntry: false });
    hash.update(`${path} ${found?.size} ${found?.mtimeMs}\n`);
  };
  for (const path of ['package-lock.json', 'scripts/bundler.mjs', 'scripts/licences.mjs']) add(path);
  for (const name of readdirSync(join(checkout, 'packages')).sort()) {
    add(`packages/${name}/package.json`);
    for (const path of sourceFiles(checkout, `packages/${name}/src`)) add(path);
  }
  return hash.digest('hex').slice(0, 20);
}

function sourceFiles(checkout, folder) {
  if (!existsSync(join(checkout, folder))) return [];
  return readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort()
    .map((path) => join(folder, path));
}

/**
 * Built aside and renamed into place, so that no other process sees half of it. In a process of its own: the bundler
 * takes a gigabyte of memory, which this process would keep for as long as it runs.
 */
function build(directory) {
  const unfinished = `${directory}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  removeOld();
  const script = join(root, 'scripts', 'bundle-checkout.mjs');
  const { status, stderr } = run(process.execPath, [script, unfinished], { stdio: ['ignore', 2, 'pipe'] });
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    fail(`cannot bundle the command line: ${stderr}`);
  }
  moveInto(directory, unfinished);
}

function moveInto(directory, unfinished) {
  try {
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process built the same bundle meanwhile.
    if (!existsSync(directory)) throw error;
  }
}

function removeOld() {
  const found = readdirSync(cache)
    .map((name) => ({ name, usedAt: statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedAt - a.usedAt);
  const isUnfinished = ({ name }) => name.includes('.');
  const abandoned = found.filter(
    (entry) => isUnfinished(entry) && Date.now() - entry.usedAt > abandonedAfterMs,
  );
  const superseded = found.filter((entry) => !isUnfinished(entry)).slice(keptBundles - 1);
  for (const { name } of [...abandoned, ...superseded])
    rmSync(join(cache, name), { recursive: true, force: true });
}
