#!/usr/bin/env node
/**
 * Builds the control plane of the cluster tests, etcd, kube-apiserver, kube-controller-manager,
 * kube-scheduler and kubectl in one binary (test/cluster/kube), once per machine into the user's cache
 * directory. The directory is named by what goes into the binary, so a stale one is never used.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HELP = `usage: npm run control-plane [-- --path]

Builds the Kubernetes control plane that the cluster tests run against and prints the path of the binary.
The first build takes minutes; later calls return at once.

  --path   print where the binary belongs, build nothing; exit 1 when it is not there
  --help   print this text
`;

const PROGRESS_EVERY_MS = 15_000;
const ERROR_LINES = 12;

const source = fileURLToPath(new URL('../test/cluster/kube/', import.meta.url));

/** @returns {{ path: string, exists: boolean }} where the binary belongs, and whether it is there */
export function controlPlaneBinary() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const { version } = readModule();
  const path = join(cache, 'karpenter-ts', `kube-v${version}-${sourceHash()}`, 'kube');
  return { path, exists: existsSync(path) };
}

/**
 * Builds the binary unless it is there. Builders that run at once do the work twice but cannot disturb each
 * other: each builds under a name of its own and renames, and a rename replaces the file in one step.
 *
 * @returns {Promise<string>} the path of the binary
 */
export async function buildControlPlane() {
  const { path, exists } = controlPlaneBinary();
  if (exists) return path;
  requireGo();
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}-${Date.now()}.unfinished`;
  try {
    await runGoBuild(unfinished);
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return path;
}

/** The versions that go.mod asks for: Kubernetes as 1.36.1, Go as 1.26.0. */
function readModule() {
  const text = readFileSync(join(source, 'go.mod'), 'utf8');
  const [, version] = /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(text) ?? [];
  const [, go] = /^go (\S+)/m.exec(text) ?? [];
  if (!version || !go)
    throw new Error('test/cluster/kube/go.mod names no version of k8s.io/kubernetes or of go');
  return { version, go };
}

/** Without the version flags kubectl and the API server call themselves v0.0.0 and refuse each other. */
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

/** A Go from 1.21 on fetches the Go that go.mod asks for, unless GOTOOLCHAIN forbids it; asking tells. */
function requireGo() {
  const wanted = readModule().go;
  const advice = `install Go ${wanted} or newer from go.dev and run npm run control-plane again`;
  const asked = spawnSync('go', ['env', 'GOVERSION'], {
    cwd: source,
    encoding: 'utf8',
    env: goEnvironment(),
  });
  if (asked.error) throw new Error(`cannot build the control plane: Go is not installed; ${advice}`);
  const found = asked.stdout.trim();
  if (asked.status === 0 && isAtLeast(found, wanted)) return;
  const reason = asked.status === 0 ? `${found} is too old` : asked.stderr.trim().split('\n')[0];
  throw new Error(`cannot build the control plane: ${reason}; ${advice}`);
}

/** Reads go1.26.8 as 1.26.8; what is no release, such as a development build, counts as new enough. */
function isAtLeast(found, wanted) {
  const release = /^go(\d+)\.(\d+)(?:\.(\d+))?/.exec(found);
  if (!release) return true;
  const have = release.slice(1).map((part) => Number(part ?? 0));
  const want = wanted.split('.').map(Number);
  const differs = want.findIndex((part, index) => part !== have[index]);
  return differs === -1 || have[differs] > want[differs];
}

function goEnvironment() {
  return { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
}

async function runGoBuild(output) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  say(`building Kubernetes ${readModule().version}; the first time on a machine this takes 5 to 10 minutes`);
  const child = spawn('go', [...goBuildArguments(), '-o', output, '.'], {
    cwd: source,
    env: goEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = followLog(child.stderr);
  const timer = setInterval(
    () => say(`still building after ${seconds()} s, ${log.packages()} packages compiled`),
    PROGRESS_EVERY_MS,
  );
  // Go must end before this process does, or its unfinished file would stay.
  const interrupt = () => child.kill('SIGTERM');
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const outcome = await exitOf(child);
    if (outcome !== 0)
      throw new Error(
        `cannot build the control plane: go build ended with ${outcome}\n${log.tail()}`.trimEnd(),
      );
  } finally {
    clearInterval(timer);
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  say(`built in ${seconds()} s`);
}

/** Keeps the messages of `go build -v` apart from the package names, which only show progress. */
function followLog(stream) {
  let rest = '';
  let packages = 0;
  const messages = [];
  stream.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (/^[\w.~/-]+$/.test(line)) packages += 1;
      else messages.push(line);
    }
  });
  return {
    packages: () => packages,
    tail: () => [...messages, rest].filter(Boolean).slice(-ERROR_LINES).join('\n'),
  };
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => resolve(code ?? signal));
  });
}

function say(line) {
  process.stderr.write(`control-plane: ${line}\n`);
}

async function main(args) {
  const [flag, ...more] = args;
  if (more.length > 0 || (flag !== undefined && flag !== '--path' && flag !== '--help')) {
    throw new Error(
      `unknown arguments ${JSON.stringify(args.join(' '))}; see npm run control-plane -- --help`,
    );
  }
  if (flag === '--help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (flag === '--path') {
    const { path, exists } = controlPlaneBinary();
    process.stdout.write(`${path}\n`);
    return exists ? 0 : 1;
  }
  process.stdout.write(`${await buildControlPlane()}\n`);
  return 0;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    say(error.message);
    process.exitCode = 2;
  }
}
