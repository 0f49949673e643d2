#!/usr/bin/env node
/**
 * Builds the control plane of the cluster tests (etcd, kube-apiserver, kube-controller-manager,
 * kube-scheduler and kubectl in one binary, test/cluster/kube), once per machine, into the user's cache
 * directory. A hash of the sources names the directory, so a stale binary is never used.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce, cacheDirectory, requireGo, runGo, runScript, say } from './go-programs.mjs';

const HELP = `usage: npm run control-plane [-- --path]

Builds the Kubernetes control plane that the cluster tests run against and prints the path of the binary.
The first build takes minutes; later calls return at once.

  --path   print where the binary belongs, build nothing; exit 1 when it is not there
  --help   print this text
`;

const program = { name: 'the control plane', command: 'control-plane' };
const firstTime = 'the first time on a machine this takes 5 to 10 minutes';

const source = fileURLToPath(new URL('../test/cluster/kube/', import.meta.url));

/** @returns {{ path: string, exists: boolean }} path of the binary, and whether it exists */
export function controlPlaneBinary() {
  const { version } = readModule();
  const path = join(cacheDirectory(), `kube-v${version}-${sourceHash()}`, 'kube');
  return { path, exists: existsSync(path) };
}

/**
 * Builds the binary unless it is there.
 *
 * @returns {Promise<string>} the path of the binary
 */
export async function buildControlPlane() {
  const { path, exists } = controlPlaneBinary();
  if (exists) return path;
  requireGo({ ...program, wanted: readModule().go, directory: source });
  await buildOnce(path, (unfinished) => {
    say(program, `building Kubernetes ${readModule().version}; ${firstTime}`);
    return runGo({ ...program, args: [...goBuildArguments(), '-o', unfinished, '.'], directory: source });
  });
  return path;
}

/** The versions in go.mod: Kubernetes as 1.36.1, Go as 1.26.0. */
function readModule() {
  const text = readFileSync(join(source, 'go.mod'), 'utf8');
  const [, version] = /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(text) ?? [];
  const [, go] = /^go (\S+)/m.exec(text) ?? [];
  if (!version || !go)
    throw new Error('test/cluster/kube/go.mod names no version of k8s.io/kubernetes or of go');
  return { version, go };
}

/** Without the version flags kubectl and the API server report v0.0.0 and reject each other. */
function goBuildArguments() {
  const { version } = readModule();
  const [major, minor] = version.split('.');
  const set = Object.entries({ gitVersion: `v${version}`, gitMajor: major, gitMinor: minor });
  const flags = set.map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ['build', '-v', '-trimpath', '-ldflags', ['-s', '-w', ...flags].join(' ')];
}

function sourceHash() {
  const hash = createHash('sha256').update(
    JSON.stringify([process.platform, process.arch, goBuildArguments()]),
  );
  const files = readdirSync(source).filter((name) => /^go\.(mod|sum)$|\.go$/.test(name));
  for (const name of files.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(source, name)));
  return hash.digest('hex').slice(0, 16);
}

await runScript({
  url: import.meta.url,
  program,
  help: HELP,
  find: controlPlaneBinary,
  get: buildControlPlane,
});
