// Writes the generated files: charts and reference pages from the source, the shapes of the EC2 API from its
// SDK. A test fails while any of them is stale.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ec2Shapes } from './ec2-shapes.mjs';
import { prepare, root } from './prepare.mjs';

prepare({ projects: ['packages/cli'] });
const { generatedFiles } = await import('../packages/cli/dist/index.js');

for (const { path, text } of [...generatedFiles(), ec2Shapes()]) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(path);
}
