// Writes the files that are generated from the source: charts and reference pages. A test fails while one of
// them is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare({ projects: ['packages/cli'] });
const { generatedFiles } = await import('../packages/cli/dist/index.js');

for (const { path, text } of generatedFiles((file) => readFileSync(join(root, file), 'utf8'))) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(path);
}
