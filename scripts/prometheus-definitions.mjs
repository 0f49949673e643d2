#!/usr/bin/env node
/**
 * Takes the custom resource definitions of the Prometheus Operator, which the tests of charts validate objects against,
 * from its Go module into the user's cache directory, once per machine. Nothing is built.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildOnce, cacheDirectory, requireGo, runScript, say } from './go-programs.mjs';

const HELP = `usage: npm run prometheus-definitions [-- --path]

Downloads the custom resource definitions of the Prometheus Operator that the tests of charts use and prints the
directory with them. Later calls return at once.

  --path   print where the directory belongs, download nothing; exit 1 when it is not there
  --help   print this text
`;

const version = '0.85.0';
const module = `github.com/prometheus-operator/prometheus-operator@v${version}`;
// As go.sum would have it, so that the files are the same wherever they come from.
const sum = 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=';
const files = ['servicemonitors', 'prometheusrules'].map(
  (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
);
const program = { name: 'the definitions of the Prometheus Operator', command: 'prometheus-definitions' };

/** @returns {{ path: string, exists: boolean }} the directory of the definitions, and whether it exists */
export function prometheusDefinitions() {
  const path = join(cacheDirectory(), `prometheus-operator-v${version}`);
  return { path, exists: existsSync(path) };
}

/** @returns {Promise<string>} the directory of the definitions, which are downloaded if they are not there */
export async function downloadPrometheusDefinitions() {
  const { path, exists } = prometheusDefinitions();
  if (exists) return path;
  requireGo({ ...program, wanted: '1.21', directory: tmpdir() });
  await buildOnce(path, async (unfinished) => {
    say(program, `downloading the Prometheus Operator ${version}, 4 MB`);
    const source = downloadModule();
    mkdirSync(unfinished);
    for (const file of files) copyFileSync(join(source, file), join(unfinished, basename(file)));
  });
  return path;
}

/** Outside the repository, so that no go.mod of it counts. */
function downloadModule() {
  const asked = spawnSync('go', ['mod', 'download', '-json', module], { cwd: tmpdir(), encoding: 'utf8' });
  const answer = asked.stdout.startsWith('{') ? JSON.parse(asked.stdout) : { Error: asked.stderr.trim() };
  if (answer.Error) throw new Error(`cannot download ${module}: ${answer.Error}`);
  if (answer.Sum !== sum) throw new Error(`${module} has the checksum ${answer.Sum} instead of ${sum}`);
  return answer.Dir;
}

await runScript({
  url: import.meta.url,
  program,
  help: HELP,
  find: prometheusDefinitions,
  get: downloadPrometheusDefinitions,
});
