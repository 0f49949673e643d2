/**
 * Programs from PyPI that tests run, installed once per machine into the user's cache directory, each in an
 * environment of its own. The release names the directory, so a stale installation is never used.
 *
 * @typedef {object} PythonProgram
 * @property {string} name what it is, after "cannot install"; also the beginning of its directory
 * @property {string} command the npm script that installs it
 * @property {string} version
 * @property {string} requirement what pip installs
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, cacheDirectory, say } from './go-programs.mjs';

/**
 * @param {PythonProgram} program
 * @returns {{ path: string, exists: boolean }} path of the Python with the program, and whether it exists
 */
export function pythonWith(program) {
  const path = join(directoryOf(program), 'bin', 'python');
  return { path, exists: existsSync(path) };
}

/**
 * @param {PythonProgram} program
 * @returns {Promise<string>} path of the Python with the program, which is installed if it does not exist
 */
export async function installForPython(program) {
  const { path, exists } = pythonWith(program);
  if (exists) return path;
  const { name, version, requirement } = program;
  requirePython(program);
  await buildOnce(directoryOf(program), async (unfinished) => {
    say(program, `installing ${name} ${version}; the first time on a machine this takes about a minute`);
    run(program, 'python3', ['-m', 'venv', unfinished]);
    // The scripts that pip writes contain the temporary name of the directory; `python -m` does not need
    // them.
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement];
    run(program, join(unfinished, 'bin', 'python'), pip);
  });
  return path;
}

function directoryOf({ command, version }) {
  return join(cacheDirectory(), `${command}-${version}`);
}

function requirePython({ name, command }) {
  const advice = `install Python 3.10 or newer with its venv module and run npm run ${command} again`;
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  const asked = spawnSync('python3', ['-c', check], { encoding: 'utf8' });
  if (asked.error) throw new Error(`cannot install ${name}: Python is not installed; ${advice}`);
  if (asked.status !== 0)
    throw new Error(`cannot install ${name}: Python is too old or has no venv; ${advice}`);
}

function run({ name }, command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot install ${name}: ${stderr?.trim() || error}`);
}
