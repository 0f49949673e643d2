/**
 * Third-party programs that tests run, built from source once per machine into the user's cache directory.
 *
 * @typedef {object} GoProgram
 * @property {string} name what it is, after "cannot build"
 * @property {string} command the npm script that builds it
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRESS_EVERY_MS = 15_000;
const ERROR_LINES = 12;

export function cacheDirectory() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'karpenter-ts');
}

/**
 * Calls `build` with a temporary path and renames the result. Concurrent builds do the work twice but cannot
 * disturb each other: a rename replaces a file atomically, and leaves a directory that another build has
 * finished.
 *
 * @param {string} path
 * @param {(unfinished: string) => Promise<unknown>} build
 */
export async function buildOnce(path, build) {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}-${Date.now()}.unfinished`;
  try {
    await build(unfinished);
    rename(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true, recursive: true });
  }
}

function rename(unfinished, path) {
  try {
    renameSync(unfinished, path);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}

/**
 * Go 1.21 and later downloads the Go version that a module requires, unless GOTOOLCHAIN forbids it; `go
 * version` shows which one it uses.
 */
export function requireGo({ name, command, wanted, directory }) {
  const advice = `install Go ${wanted} or newer from go.dev and run npm run ${command} again`;
  const asked = spawnSync('go', ['env', 'GOVERSION'], {
    cwd: directory,
    encoding: 'utf8',
    env: goEnvironment(),
  });
  if (asked.error) throw new Error(`cannot build ${name}: Go is not installed; ${advice}`);
  const found = asked.stdout.trim();
  if (asked.status === 0 && isAtLeast(found, wanted)) return;
  const reason = asked.status === 0 ? `${found} is too old` : asked.stderr.trim().split('\n')[0];
  throw new Error(`cannot build ${name}: ${reason}; ${advice}`);
}

/**
 * Parses go1.26.8 as 1.26.8; anything that is not a release, such as a development build, counts as new
 * enough.
 */
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

/** Runs `go` with `-v` among its arguments and reports from time to time that it is still running. */
export async function runGo({ name, command, args, directory, environment = {} }) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const child = spawn('go', args, {
    cwd: directory,
    env: { ...goEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = followLog(child.stderr);
  const timer = setInterval(
    () => say({ command }, `still building after ${seconds()} s, ${log.packages()} packages compiled`),
    PROGRESS_EVERY_MS,
  );
  // Go must exit before this process does, or its unfinished file would remain.
  const interrupt = () => child.kill('SIGTERM');
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const outcome = await exitOf(child);
    if (outcome !== 0)
      throw new Error(`cannot build ${name}: go ${args[0]} ended with ${outcome}\n${log.tail()}`.trimEnd());
  } finally {
    clearInterval(timer);
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  say({ command }, `built in ${seconds()} s`);
}

/** Separates the messages of `go build -v` from the package names, which only show progress. */
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

export function say({ command }, line) {
  process.stderr.write(`${command}: ${line}\n`);
}

/**
 * The command line of all scripts that provide a program: provide it and print its path, `--path` or
 * `--help`.
 *
 * @param {object} script
 * @param {string} script.url `import.meta.url` of the script; does nothing when another script imports it
 * @param {GoProgram} script.program
 * @param {string} script.help
 * @param {() => { path: string, exists: boolean }} script.find
 * @param {() => Promise<string>} script.get
 */
export async function runScript({ url, program, help, find, get }) {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    process.exitCode = await answer(process.argv.slice(2), { program, help, find, get });
  } catch (error) {
    say(program, error.message);
    process.exitCode = 2;
  }
}

async function answer(args, { program, help, find, get }) {
  const [flag, ...more] = args;
  if (more.length > 0 || (flag !== undefined && flag !== '--path' && flag !== '--help')) {
    throw new Error(
      `unknown arguments ${JSON.stringify(args.join(' '))}; see npm run ${program.command} -- --help`,
    );
  }
  if (flag === '--help') {
    process.stdout.write(help);
    return 0;
  }
  if (flag === '--path') {
    const { path, exists } = find();
    process.stdout.write(`${path}\n`);
    return exists ? 0 : 1;
  }
  process.stdout.write(`${await get()}\n`);
  return 0;
}
