// What a distribution is made of: the bundle of a program, with the web page and the commit that it was built from.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyPage, ensurePage, hasPage } from './checkout-page.mjs';
import { ensureInstalled, root } from './prepare.mjs';

/**
 * Bundles one program into a folder, with the web page beside it if the program serves one.
 *
 * @param {{ name: 'karpenter' | 'controller' | 'node-termination-handler', directory: string, commit?: string }} options
 * @returns {Promise<import('./bundler.mjs').Bundle>} of the page there are only packages
 */
export async function bundleProgram({ name, directory, commit = currentCommit() }) {
  ensureInstalled();
  const { bundle, programs } = await import('./bundler.mjs');
  const { hasPage: takesPage = true, ...program } = programs[name];
  if (takesPage) ensurePage();
  const { files, packages } = await bundle({ name, ...program, directory, commit });
  const all = new Set([...packages, ...(takesPage ? copyPage(directory) : [])]);
  return { files, packages: [...all].sort() };
}

/** With the suffix -dirty if files were changed since; undefined outside of a repository or without git. */
export function currentCommit() {
  const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** A sentence about the web page for whoever builds a distribution; undefined if the distribution has it. */
export function missingPage() {
  if (hasPage(root)) return undefined;
  return 'without the web page, because packages/ui has no build script yet';
}

/** The package.json of the repository, whose version is that of every distribution. */
export function rootManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
