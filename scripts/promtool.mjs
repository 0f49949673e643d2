#!/usr/bin/env node
/**
 * Builds promtool, which tests the alert rules, once per machine, into the user's cache directory. The release
 * names the directory, so a stale binary is never used.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce, cacheDirectory, requireGo, runGo, runScript, say } from './go-programs.mjs';

const HELP = `usage: npm run promtool [-- --path]

Builds the promtool that the tests of alert rules run and prints the path of the binary.
The first build takes minutes; later calls return at once.

  --path   print where the binary belongs, build nothing; exit 1 when it is not there
  --help   print this text
`;

const program = { name: 'promtool', command: 'promtool' };
// A module of its own: Prometheus has a replace directive, which `go install` of a version refuses.
const source = fileURLToPath(new URL('../test/rules/promtool/', import.meta.url));
const command = 'github.com/prometheus/prometheus/cmd/promtool';
// Service discovery is most of Prometheus' dependencies, and no rule needs it.
const tags = 'remove_all_sd';

/** @returns {{ path: string, exists: boolean }} path of the binary, and whether it exists */
export function promtoolBinary() {
  const directory = `promtool-v${readModule().version}-${process.platform}-${process.arch}`;
  const path = join(cacheDirectory(), directory, 'promtool');
  return { path, exists: existsSync(path) };
}

/** @returns {Promise<string>} path of the binary, which is built if it does not exist */
export async function buildPromtool() {
  const { path, exists } = promtoolBinary();
  if (exists) return path;
  const { version, go } = readModule();
  requireGo({ ...program, wanted: go, directory: source });
  await buildOnce(path, (unfinished) => {
    say(program, `building promtool ${version}; the first time on a machine this takes 3 to 8 minutes`);
    const args = ['build', '-v', '-trimpath', `-tags=${tags}`, '-ldflags=-s -w', '-o', unfinished, command];
    return runGo({ ...program, args, directory: source });
  });
  return path;
}

/** The versions in go.mod: Prometheus 3.15.0 as 0.315.0, Go as 1.26.0. */
function readModule() {
  const text = readFileSync(join(source, 'go.mod'), 'utf8');
  const [, version] = /github\.com\/prometheus\/prometheus v(\S+)/.exec(text) ?? [];
  const [, go] = /^go (\S+)/m.exec(text) ?? [];
  if (!version || !go) throw new Error('test/rules/promtool/go.mod names no version of prometheus or of go');
  return { version, go };
}

await runScript({ url: import.meta.url, program, help: HELP, find: promtoolBinary, get: buildPromtool });
