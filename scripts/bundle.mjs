// Writes the distribution: a folder for each program, which needs Node and nothing else.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyPage, ensurePage } from './checkout-page.mjs';
import { ensureInstalled, fail, root } from './prepare.mjs';

const help = `npm run bundle -- [--directory DIRECTORY] [--json]

Bundles each program into a folder of its own and prints how large it is.

  --directory  where to write them; without it dist, which is emptied first
  --json       print all files, modules and packages of each bundle instead
  --help       show this
`;

function options() {
  try {
    const { values } = parseArgs({
      options: { directory: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    return values;
  } catch (error) {
    return fail(`${error.message}; run npm run bundle -- --help`);
  }
}

async function main({ directory, json }) {
  ensureInstalled();
  const { bundle, programs } = await import('./bundler.mjs');
  ensurePage();
  const dist = join(root, 'dist');
  if (directory === undefined) rmSync(dist, { recursive: true, force: true });
  const bundles = {};
  for (const [name, program] of Object.entries(programs)) {
    try {
      bundles[name] = await bundle({
        name,
        ...program,
        directory: resolve(directory ?? dist, name),
        commit: currentCommit(),
      });
      copyPage(resolve(directory ?? dist, name));
    } catch (error) {
      fail(`cannot bundle ${name}: ${error.message}`);
    }
  }
  if (json) console.log(JSON.stringify(bundles));
  else for (const [name, facts] of Object.entries(bundles)) report(name, facts);
}

/** With the suffix -dirty if files were changed since; undefined outside of a repository or without git. */
function currentCommit() {
  const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

function report(name, { files, packages }) {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `${name}: ${kilobytes(total)} in ${files.length} files, with code of ${packages.length} packages`,
  );
  for (const { name: file, bytes } of files.toSorted((a, b) => b.bytes - a.bytes).slice(0, 10))
    console.log(`${kilobytes(bytes).padStart(10)}  ${file}`);
}

const chosen = options();
if (chosen.help) process.stdout.write(help);
else await main(chosen);
