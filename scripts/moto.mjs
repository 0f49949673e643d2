#!/usr/bin/env node
/**
 * Installs moto, an AWS mock server, for the aws-wire tests, once per machine, into the user's cache
 * directory. The release names the directory, so a stale installation is never used.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, cacheDirectory, runScript, say } from './go-programs.mjs';

const HELP = `usage: npm run moto [-- --path]

Installs the moto server that the tests of the AWS wire talk to and prints the path of the Python that runs it.
The first time takes about a minute; later calls return at once.

  --path   print where that Python belongs, install nothing; exit 1 when it is not there
  --help   print this text
`;

const version = '5.2.5';
const program = { name: 'moto', command: 'moto' };
const advice = 'install Python 3.10 or newer with its venv module and run npm run moto again';

/** @returns {{ path: string, exists: boolean }} path of the Python with moto, and whether it exists */
export function motoPython() {
  const path = join(directory(), 'bin', 'python');
  return { path, exists: existsSync(path) };
}

function directory() {
  return join(cacheDirectory(), `moto-${version}`);
}

/** @returns {Promise<string>} path of the Python with moto, which is installed if it does not exist */
export async function installMoto() {
  const { path, exists } = motoPython();
  if (exists) return path;
  requirePython();
  await buildOnce(directory(), async (unfinished) => {
    say(program, `installing moto ${version}; the first time on a machine this takes about a minute`);
    run('python3', ['-m', 'venv', unfinished]);
    // The scripts that pip writes contain the temporary name of the directory; `python -m` does not need
    // them.
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `moto[server]==${version}`,
    ];
    run(join(unfinished, 'bin', 'python'), pip);
  });
  return path;
}

function requirePython() {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  const asked = spawnSync('python3', ['-c', check], { encoding: 'utf8' });
  if (asked.error) throw new Error(`cannot install moto: Python is not installed; ${advice}`);
  if (asked.status !== 0) throw new Error(`cannot install moto: Python is too old or has no venv; ${advice}`);
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot install moto: ${stderr?.trim() || error}`);
}

await runScript({ url: import.meta.url, program, help: HELP, find: motoPython, get: installMoto });
