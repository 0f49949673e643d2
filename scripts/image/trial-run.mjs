// Runs the controllers of an assembled root file system against an embedded cluster until they are ready.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkoutBundle } from '../checkout-bundle.mjs';
import { confinement } from './confinement.mjs';

const patienceMs = 120_000;
const pollMs = 20;

/**
 * @param {string} root the root file system
 * @param {readonly string[]} entrypoint the command of the image
 * @returns {Promise<{ isConfined: boolean, version: string, nodeVersion: string, readyAfterMs: number }>}
 */
export async function trialRun(root, entrypoint) {
  const scratch = mkdtempSync(join(tmpdir(), 'karpenter-image-'));
  try {
    chmodSync(scratch, 0o755);
    const place = confinement(root, scratch);
    const node = (...args) => output(place, ['/usr/local/bin/node', ...args]);
    const version = output(place, [...entrypoint, '--version']);
    if (!output(place, [...entrypoint, '--help']).includes('CLUSTER_NAME'))
      throw new Error('--help of the controller in the image does not list its settings');
    if (place.isConfined) checkConfined(JSON.parse(node('--eval', probe)));
    return {
      isConfined: place.isConfined,
      version,
      nodeVersion: node('--version').slice(1),
      readyAfterMs: await startOnCluster({ place, entrypoint, scratch }),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const probe = `
const write = (path) => { try { fs.writeFileSync(path, ''); return 'written'; } catch ({ code }) { return code; } };
console.log(JSON.stringify({ user: process.getuid(), group: process.getgid(), groups: process.getgroups(), write: write('/app/x') }));`;

function checkConfined({ user, group, groups, write }) {
  const found = `${user}:${group}, groups ${groups.join(' ')}, writing gives ${write}`;
  if (found !== '65532:65532, groups 65532, writing gives EROFS')
    throw new Error(`the image does not run as user 65532 with a read-only root: ${found}`);
}

function output(place, command) {
  const [program, args] = place.command(command);
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: {} });
  if (status !== 0)
    throw new Error(`${command.join(' ')} failed in the image: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}

async function startOnCluster({ place, entrypoint, scratch }) {
  const kubeconfig = join(scratch, 'kubeconfig');
  const args = ['dev', '--port', '0', '--no-ui', '--empty', '--kubeconfig', kubeconfig];
  const dev = spawn(process.execPath, [checkoutBundle(), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const account = await startAccount();
  try {
    await printed(dev, /Ctrl-C stops it/, 'karpenter dev');
    chmodSync(kubeconfig, 0o644);
    return await timeUntilReady(place, entrypoint, account.port);
  } finally {
    dev.kill();
    account.server.close();
  }
}

async function timeUntilReady(place, entrypoint, accountPort) {
  const [program, args] = place.command(entrypoint);
  const started = performance.now();
  const controller = spawn(program, args, {
    env: environment(place.scratch, accountPort),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(controller, 'exit');
  const log = collected(controller);
  try {
    const [, port] = await printed(
      controller,
      /"name":"health probe","addr":"[^"]*:(\d+)"/,
      'the controller',
    );
    // Probes succeed a little early, before the first cache is started; a leader has read everything.
    await printed(controller, /"message":"new leader elected"/, 'the controller');
    await ready(`http://127.0.0.1:${port}/readyz`);
    const readyAfterMs = performance.now() - started;
    controller.kill();
    const [code] = await exit;
    if (code !== 0) throw new Error(`the controller ended with ${code} on SIGTERM: ${log().slice(-1000)}`);
    return readyAfterMs;
  } finally {
    controller.kill('SIGKILL');
  }
}

function environment(scratch, accountPort) {
  return {
    KUBECONFIG: join(scratch, 'kubeconfig'),
    CLUSTER_NAME: 'dev',
    CLUSTER_ENDPOINT: 'https://cluster.example',
    ISOLATED_VPC: 'true',
    METRICS_PORT: '0',
    HEALTH_PROBE_PORT: '0',
    AWS_REGION: 'us-west-2',
    AWS_ACCESS_KEY_ID: 'trial',
    AWS_SECRET_ACCESS_KEY: 'trial',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${accountPort}`,
  };
}

/** An account in which everything is allowed and nothing exists, as far as the start of the controllers asks EC2. */
async function startAccount() {
  const server = createServer(async (request, response) => {
    const call = new URLSearchParams((await request.toArray()).join(''));
    const isDryRun = call.get('DryRun') === 'true';
    const reply = isDryRun ? dryRunReply : `<${call.get('Action')}Response></${call.get('Action')}Response>`;
    response.writeHead(isDryRun ? 412 : 200, { 'content-type': 'text/xml' }).end(reply);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { server, port };
}

const dryRunReply =
  '<Response><Errors><Error><Code>DryRunOperation</Code><Message>allowed</Message></Error></Errors></Response>';

/** What the process prints from now on, for the error of a process that fails later. */
function collected(child) {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return () => text.trim();
}

/** Resolves with the match once the process has printed it; rejects with its output when it ends before. */
function printed(child, pattern, name) {
  let text = '';
  return new Promise((resolve, reject) => {
    const add = (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    };
    child.stdout.on('data', add);
    child.stderr?.on('data', add);
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Error(`${name} ended before it was ready: ${text.trim().slice(-1000)}`)),
    );
  });
}

async function ready(url) {
  const patience = performance.now() + patienceMs;
  for (;;) {
    const answer = await fetch(url).catch((error) => ({ ok: false, text: async () => error.message }));
    if (answer.ok) return;
    if (performance.now() > patience) throw new Error(`${url} is not ready: ${await answer.text()}`);
    await delay(pollMs);
  }
}
