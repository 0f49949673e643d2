// The web page of a checkout: built into packages/ui/dist-page when one of its files has changed. The programs read it
// once at their start, so it may be replaced while they run.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { licencesOf } from './licences.mjs';
import { ensureInstalled, fail, root, runNpm, withLock } from './prepare.mjs';

const stamp = join(root, 'node_modules', '.cache', 'karpenter-page');

/** Where the built page of a checkout is. */
export const pageDirectory = (checkout = root) => join(checkout, 'packages', 'ui', 'dist-page');

/** Builds the page for the commands that always serve it; others need not wait until it is built. */
export function ensurePageFor([command = '', ...flags]) {
  const isServed = ['dev', 'ui'].includes(command);
  if (isServed && !flags.some((flag) => ['--no-ui', '-h', '--help'].includes(flag))) ensurePage();
}

/** Builds the page if a file that it is made of has changed since. */
export function ensurePage() {
  ensureInstalled();
  if (!hasPage(root) || isBuilt()) return;
  withLock(() => isBuilt() || build());
}

/**
 * Copies the built page and the licences of the packages in it beside a program.
 *
 * @returns {string[]} those packages, as name@version
 */
export function copyPage(directory) {
  if (!existsSync(join(pageDirectory(), 'index.html'))) return [];
  const page = join(directory, 'page');
  cpSync(pageDirectory(), page, { recursive: true });
  const { text, packages } = licencesOf(pageModules(root));
  writeFileSync(join(page, 'THIRD-PARTY-LICENSES.txt'), text);
  return packages;
}

/** Whether the package of the page can be built at all. */
export function hasPage(checkout) {
  return packageOf(join(checkout, 'packages', 'ui'))?.scripts?.build !== undefined;
}

function isBuilt() {
  if (!existsSync(join(pageDirectory(), 'index.html')) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === pageFingerprint(root);
}

function build() {
  const fingerprint = pageFingerprint(root);
  process.stderr.write('karpenter: building the web page (once for each change of its files)\n');
  const { status, error } = runNpm(['run', 'build', '--silent', '-w', 'packages/ui']);
  if (error) fail(`cannot run npm: ${error.message}; install npm, which comes with Node`);
  if (status !== 0) fail('the web page cannot be built, see above; start with --no-ui to go without it');
  mkdirSync(join(stamp, '..'), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** Of names, sizes and times of change of everything that the page is made of: its package and core. */
export function pageFingerprint(checkout) {
  const hash = createHash('sha256');
  const files = [
    'package-lock.json',
    ...filesIn(checkout, 'packages/ui'),
    ...filesIn(checkout, 'packages/core/src'),
  ];
  for (const path of files) {
    const found = statSync(join(checkout, path), { throwIfNoEntry: false });
    hash.update(`${path} ${found?.size} ${found?.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 20);
}

const isSource = (path) =>
  !/(^|[/\\])(node_modules|dist|dist-page)([/\\]|$)/.test(path) && !/\.test\.tsx?$|\.tsbuildinfo$/.test(path);

function filesIn(checkout, folder) {
  if (!existsSync(join(checkout, folder))) return [];
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)))
    .filter(isSource)
    .sort();
}

/** A file of each third-party package that the page depends on, directly or not. */
function pageModules(checkout) {
  const found = new Set();
  const add = (name) => {
    const folder = `node_modules/${name}`;
    if (name.startsWith('@karpenter/') || found.has(folder)) return;
    const dependencies = packageOf(join(checkout, folder))?.dependencies;
    if (!existsSync(join(checkout, folder))) return;
    found.add(folder);
    for (const each of Object.keys(dependencies ?? {})) add(each);
  };
  for (const name of Object.keys(packageOf(join(checkout, 'packages', 'ui'))?.dependencies ?? {})) add(name);
  return [...found].map((folder) => `${folder}/package.json`);
}

function packageOf(folder) {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
