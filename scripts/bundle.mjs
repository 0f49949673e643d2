// Writes the distribution: a folder for each program, which needs Node and nothing else.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleProgram } from './distribution.mjs';
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
  const { programs } = await import('./bundler.mjs');
  const dist = join(root, 'dist');
  if (directory === undefined) rmSync(dist, { recursive: true, force: true });
  const bundles = {};
  for (const name of Object.keys(programs)) {
    try {
      bundles[name] = await bundleProgram({ name, directory: resolve(directory ?? dist, name) });
    } catch (error) {
      fail(`cannot bundle ${name}: ${error.message}`);
    }
  }
  if (json) console.log(JSON.stringify(bundles));
  else for (const [name, facts] of Object.entries(bundles)) report(name, facts);
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
