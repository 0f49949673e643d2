// Writes the npm package: the bundled command line, which needs Node and no other package (ADR 0050).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleProgram, megabytes, missingPage, rootManifest } from './distribution.mjs';
import { fail, root } from './prepare.mjs';

const help = `npm run package -- [--directory DIRECTORY]

Writes the npm package of the command line: its files to package, and the archive for npm install beside it.

  --directory  where to write them; defaults to dist-package. package in it is emptied first
  --help       show this
`;

function options() {
  try {
    const { values } = parseArgs({ options: { directory: { type: 'string' }, help: { type: 'boolean' } } });
    return values;
  } catch (error) {
    return fail(`${error.message}; run npm run package -- --help`);
  }
}

/** Without dependencies and scripts: installing it downloads and runs nothing. */
function packageManifest({ name, version, description, license, engines }) {
  const bin = { karpenter: 'dist/karpenter.mjs', 'kubectl-karpenter': 'dist/kubectl-karpenter.mjs' };
  const files = ['dist', 'THIRD-PARTY-LICENSES'];
  return { name, version, description, license, type: 'module', engines, bin, files };
}

async function assemble(folder) {
  rmSync(folder, { recursive: true, force: true });
  const program = join(folder, 'dist');
  await bundleProgram({ name: 'karpenter', directory: program });
  // npm writes launchers of its own for every system, and source maps would be three quarters of the package.
  for (const path of readdirSync(program, { recursive: true, encoding: 'utf8' }))
    if (/\.map$|^(kubectl-)?karpenter$/.test(path)) rmSync(join(program, path));
  cpSync(join(program, 'THIRD-PARTY-LICENSES'), join(folder, 'THIRD-PARTY-LICENSES'));
  rmSync(join(program, 'THIRD-PARTY-LICENSES'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(root, 'deploy', 'package', 'README.md'), join(folder, 'README.md'));
  const manifest = packageManifest(rootManifest());
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @returns {string} the path of the archive */
function pack(folder, destination) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (error) fail(`cannot run npm: ${error.message}; install npm, which comes with Node`);
  if (status !== 0) fail(`npm pack failed on ${folder}: ${stderr.trim()}`);
  const { name, version } = rootManifest();
  return join(destination, `${name}-${version}.tgz`);
}

async function main({ directory = join(root, 'dist-package') }) {
  const destination = resolve(directory);
  const folder = join(destination, 'package');
  mkdirSync(destination, { recursive: true });
  try {
    await assemble(folder);
  } catch (error) {
    fail(`cannot write the package to ${folder}: ${error.message}`);
  }
  const archive = pack(folder, destination);
  const page = missingPage();
  console.log(`${archive}: ${megabytes(statSync(archive).size)}${page === undefined ? '' : `, ${page}`}`);
}

const chosen = options();
if (chosen.help) process.stdout.write(help);
else await main(chosen);
