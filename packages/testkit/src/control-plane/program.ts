import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Ending in order takes kube-apiserver a second; nothing is lost when it is killed.
const killAfterMs = 3_000;
const logLines = 15;

export type ProgramName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

export interface Program {
  readonly name: ProgramName;
  /** Undefined when the program could not be started at all. */
  readonly pid: number | undefined;
  /** How the program ended, in words that follow its name; undefined while it runs. */
  ending(): string | undefined;
  logTail(): string;
  /** Asks the program to end, kills it when it does not; resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ProgramStart {
  readonly binary: string;
  readonly name: ProgramName;
  readonly flags: readonly string[];
  readonly directory: string;
}

/**
 * Starts a program that dies with this process. It holds the reading end of a pipe which the kernel closes
 * when this process or worker thread ends, even by SIGKILL; see test/cluster/kube/main.go. It is detached
 * so that Ctrl-C reaches only this process: the order of the stops is decided here.
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

/** Nothing is inherited but PATH: etcd takes any of its flags from ETCD_ variables. */
function programEnvironment(directory: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: directory,
    TMPDIR: directory,
    KUBE_EXIT_WITH_STDIN: '1',
    KUBE_REMOVE_DIR: directory,
  };
}
