import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A clean stop of kube-apiserver takes a second, and killing it loses nothing.
const killAfterMs = 3_000;
const logLines = 15;

export type ProgramName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

export interface Program {
  readonly name: ProgramName;
  /** Undefined if the program could not be started. */
  readonly pid: number | undefined;
  /** How the program ended, as words that follow its name; undefined while it runs. */
  ending(): string | undefined;
  logTail(): string;
  /** Terminates the program, kills it if it does not exit, and resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ProgramStart {
  readonly binary: string;
  readonly name: ProgramName;
  readonly flags: readonly string[];
  readonly directory: string;
}

/**
 * Starts a program that exits with this process. It holds the reading end of a pipe that the kernel closes
 * when this process or worker thread ends, even by SIGKILL; see test/cluster/kube/main.go. It is detached, so
 * that Ctrl-C reaches only this process, which decides the order of the stops.
 */
export function startProgram({ binary, name, flags, directory }: ProgramStart): Program {
  const logPath = join(directory, `${name}.log`);
  const log = openSync(logPath, 'a');
  const child = spawn(binary, [name, ...flags], {
    cwd: directory,
    detached: true,
    env: programEnvironment(directory),
    stdio: ['pipe', log, log],
  });
  closeSync(log);

  let ending: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      ending ??= how;
      resolve();
    };
    child.on('error', (error) => end(`could not run: ${error.message}`));
    child.on('exit', (code, signal) =>
      end(code === null ? `ended by ${signal}` : `exited with code ${code}`),
    );
  });
  return {
    name,
    pid: child.pid,
    ending: () => ending,
    logTail: () => readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-logLines).join('\n'),
    stop: async () => {
      if (ending === undefined) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Passes only PATH on: etcd reads any of its flags from ETCD_ variables. */
function programEnvironment(directory: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: directory,
    TMPDIR: directory,
    KUBE_EXIT_WITH_STDIN: '1',
    KUBE_REMOVE_DIR: directory,
  };
}
