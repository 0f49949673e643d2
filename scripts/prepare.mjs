// Prepares a checkout for every command: installs the dependencies of the lock file and builds the packages.
// Plain Node without dependencies, because it installs them. Prints to stderr, so that the output of the
// command itself stays clean.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './setup-lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const oldestNode = [20, 19];
const lockFile = join(root, '.setup.lock');

/**
 * Ends the process with one sentence for the user.
 *
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`karpenter: ${message}\n`);
  process.exit(1);
}

/** Installs if the lock file has changed, and builds `projects` (by default all packages) incrementally. */
export function prepare({ projects = ['.'] } = {}) {
  ensureInstalled();
  build(projects);
}

/** Installs when the lock file has changed. */
export function ensureInstalled() {
  requireNode();
  if (!isInstalled()) withLock(() => isInstalled() || install());
}

export function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
}

export function runNpm(args) {
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

/** Runs the command-line program of an installed package with the same Node. */
export function runTool(name, args, options = {}) {
  return run(process.execPath, [join(root, 'node_modules', '.bin', name), ...args], options);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const tooOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  if (tooOld) fail(`Node ${process.versions.node} is too old; install Node ${oldestNode.join('.')} or newer`);
}

/** npm records what it installed; an edited or newly checked-out lock file is younger than that record. */
function isInstalled() {
  const record = statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  return record !== undefined && record.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  process.stderr.write('karpenter: installing dependencies (once for each change of package-lock.json)\n');
  const result = runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (result.error) fail(`cannot run npm: ${result.error.message}; install npm, which comes with Node`);
  if (result.status !== 0) fail('npm ci failed, see above; check the network and the npm registry settings');
}

function build(projects) {
  const result = runTool('tsc', ['--build', ...projects]);
  if (result.status !== 0) fail('the build failed, see above');
}

/** Two concurrent commands must not both write node_modules or the page. */
export function withLock(action) {
  const { release, heldBy } = holdLock(lockFile, {
    onWait: (holder) => process.stderr.write(`karpenter: waiting for another set-up (${holder})\n`),
  });
  if (release === undefined)
    fail(`another set-up (${heldBy}) still holds ${lockFile}; remove it if none is running`);
  // `fail` ends the process from inside of the action, past `finally`.
  process.once('exit', release);
  try {
    action();
  } finally {
    process.off('exit', release);
    release();
  }
}
