#!/usr/bin/env node
/**
 * Builds Helm for the chart tests, once per machine, into the user's cache directory. The release names the
 * directory, so a stale binary is never used.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce, cacheDirectory, requireGo, runGo, runScript, say } from './go-programs.mjs';

const HELP = `usage: npm run helm [-- --path]

Builds the Helm that the tests of charts run and prints the path of the binary.
The first build takes minutes; later calls return at once.

  --path   print where the binary belongs, build nothing; exit 1 when it is not there
  --help   print this text
`;

const version = '3.22.0';
const program = { name: 'Helm', command: 'helm' };
// Outside the repository, so that the module builds with the versions of its own go.mod.
const directory = tmpdir();

/** @returns {{ path: string, exists: boolean }} path of the binary, and whether it exists */
export function helmBinary() {
  const path = join(cacheDirectory(), `helm-v${version}-${process.platform}-${process.arch}`, 'helm');
  return { path, exists: existsSync(path) };
}

/** @returns {Promise<string>} path of the binary, which is built if it does not exist */
export async function buildHelm() {
  const { path, exists } = helmBinary();
  if (exists) return path;
  requireGo({ ...program, wanted: '1.26', directory });
  await buildOnce(path, async (unfinished) => {
    say(program, `building Helm ${version}; the first time on a machine this takes about 5 minutes`);
    const args = ['install', '-v', '-trimpath', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@v${version}`];
    // `go install` takes the name of the file from the module; only its directory can be chosen.
    const into = `${unfinished}.directory`;
    try {
      await runGo({ ...program, args, directory, environment: { GOBIN: into } });
      renameSync(join(into, 'helm'), unfinished);
    } finally {
      rmSync(into, { force: true, recursive: true });
    }
  });
  return path;
}

await runScript({ url: import.meta.url, program, help: HELP, find: helmBinary, get: buildHelm });
