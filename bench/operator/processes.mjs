import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundle, controllerOptions, environment, programFile } from '../../scripts/bundler.mjs';
import { provideOtherNode } from '../../scripts/other-node.mjs';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Runs the controllers in one process and the AWS account with its kubelets in another, as on EKS, on the
 * cluster of a kubeconfig. Resolves when the health probes answer. With `profile`, a directory, the controllers
 * write a CPU profile there when they end; with `measuresDelays` they report the time and the CPU time between two turns
 * of the event loop, and when it was longest.
 */
export async function startOperator({ kubeconfig, inherited = 0, flags = {}, ...measuring }) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    KUBECONFIG: kubeconfig,
    KARPENTER_BENCH_INHERITED: String(inherited),
  };
  const accountProcess = fork(file('./aws-account.mjs'), {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [account] = await once(accountProcess, 'message');
  return {
    account,
    accountPid: accountProcess.pid,
    startControllers: () => startControllers({ env, account, flags, measuring }),
    stop: async () => {
      const exited = once(accountProcess, 'exit');
      accountProcess.disconnect();
      await exited;
    },
  };
}

/** The controllers are measured as in their image: as a bundle, with its Node, options and environment. */
async function bundledControllers() {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await bundle({ name: 'controllers', input: 'bench/operator/controllers.mjs', directory });
  return join(directory, programFile('controllers'));
}

const profileOptions = (directory) =>
  directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];

let program;

async function startControllers({ env, account: { port, region }, flags, measuring }) {
  const { profile, measuresDelays } = measuring;
  program ??= bundledControllers();
  const child = fork(await program, [JSON.stringify({ port, region, flags, measuresDelays })], {
    env: { ...env, ...environment },
    execPath: await provideOtherNode(),
    execArgv: [...controllerOptions, ...profileOptions(profile)],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const log = [];
  createInterface(child.stdout).on('line', (line) => log.push(JSON.parse(line)));
  let isStopping = false;
  const exited = once(child, 'exit');
  const failed = exited.then(([code, signal]) => {
    if (isStopping) return new Promise(() => undefined);
    throw new Error(`the controllers ended with ${code ?? signal}: ${JSON.stringify(log.at(-1))}`);
  });
  const [{ metricsPort, healthPort }] = await Promise.race([once(child, 'message'), failed]);
  return {
    pid: child.pid,
    log,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    probesUrl: `http://127.0.0.1:${healthPort}`,
    figures: (reset = false) => figuresOf(child, reset),
    /** Rejects if a process ends unexpectedly; never resolves. */
    failed,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

let asked = 0;

/** Measurements that the process reports about itself; `reset` starts a new measurement of delays. */
function figuresOf(child, reset) {
  const ask = ++asked;
  return new Promise((resolve) => {
    const listen = (message) => {
      if (message.ask !== ask) return;
      child.off('message', listen);
      resolve(message.figures);
    };
    child.on('message', listen);
    child.send({ ask, reset });
  });
}
