#!/usr/bin/env node
/**
 * Builds Karpenter with its provider for KWOK, which the bench of the controllers compares ours with, once per
 * machine, into the user's cache directory. The release names the directory, so a stale binary is never used.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, cacheDirectory, requireGo, runGo, runScript, say } from './go-programs.mjs';

const HELP = `usage: npm run karpenter-kwok [-- --path]

Builds the Karpenter that \`npm run bench -- --only controllers --karpenter PATH\` measures beside our controllers and
prints the path of the binary. The first build takes minutes; later calls return at once.

  --path   print where the binary belongs, build nothing; exit 1 when it is not there
  --help   print this text
`;

const program = { name: "Karpenter's provider for KWOK", command: 'karpenter-kwok' };
const version = 'v1.14.1';
const go = '1.26.6';

function karpenterBinary() {
  const path = join(
    cacheDirectory(),
    `karpenter-kwok-${version}-${process.platform}-${process.arch}`,
    'kwok',
  );
  return { path, exists: existsSync(path) };
}

async function buildKarpenter() {
  const { path, exists } = karpenterBinary();
  if (exists) return path;
  const directory = cacheDirectory();
  mkdirSync(directory, { recursive: true });
  requireGo({ ...program, wanted: go, directory });
  await buildOnce(path, async (unfinished) => {
    say(program, `building Karpenter ${version}; the first time on a machine this takes 5 to 10 minutes`);
    const built = `${unfinished}.directory`;
    const args = ['install', '-v', '-trimpath', '-ldflags=-s -w', `sigs.k8s.io/karpenter/kwok@${version}`];
    await runGo({ ...program, args, directory, environment: { GOBIN: built } });
    renameSync(join(built, 'kwok'), unfinished);
  });
  return path;
}

await runScript({ url: import.meta.url, program, help: HELP, find: karpenterBinary, get: buildKarpenter });
