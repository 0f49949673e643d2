// Generates the table of protobuf messages of the API server in sim. Needs Go and the modules of
// test/cluster/kube; run it when the Kubernetes version there changes.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const cwd = join(root, 'test/cluster/kube');
const table = execFileSync('go', ['run', '../../../scripts/protobuf-messages.go'], { cwd, encoding: 'utf8' });
const path = 'packages/sim/src/apiserver/decoding/protobuf-messages.ts';
const text = `// Written by scripts/protobuf-messages.mjs from the Go types of Kubernetes 1.36; do not edit.

/** One message per line: its name, then the number, JSON name and type of each field. */
export const messageTable = \`${table.trimEnd()}\`;
`;
writeFileSync(join(root, path), text);
console.log(path);
