import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface MotoServer {
  readonly url: string;
  stop(): Promise<void>;
}

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const address = /Running on (http:\/\/127\.0\.0\.1:\d+)/;

/** Starts moto on a port that the system chooses. */
export async function startMoto(): Promise<MotoServer> {
  const installed = await promisify(execFile)(process.execPath, [pathOf('../../scripts/moto.mjs'), '--path']);
  const args = [pathOf('moto-server.py'), '--host', '127.0.0.1', '--port', '0'];
  const child = spawn(installed.stdout.trim(), args, {
    // Inherits no AWS variable: the server must know only its own account.
    env: { PATH: process.env['PATH'], PYTHONUNBUFFERED: '1', MOTO_AMIS_PATH: pathOf('images.json') },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const url = await addressOf(child);
  return {
    url,
    stop: async () => {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`moto ended before it was ready: ${log.trim()}`)));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      // moto also logs each request; the test discards that.
      if (log.length < 10_000) log += chunk;
      const url = address.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
