import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { builtBinary } from '@karpenter/testkit/control-plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addNodes, type RunningCluster, startEmbedded, startReal } from '../../clients/running-clusters.ts';
import { prepareNamespace } from './prepared-namespace.ts';
import { runningScenarios } from './scenarios-running.ts';
import { type Scenario, transcriptOf } from './transcript.ts';

let real: RunningCluster;
let embedded: RunningCluster;

beforeAll(async () => {
  real = await startReal();
  embedded = await startEmbedded();
  for (const cluster of [real, embedded]) await addNodes(cluster);
}, 120_000);

afterAll(async () => {
  await embedded.stop();
  await real.stop();
}, 60_000);

describe('kubectl with workloads on the embedded server does what it does on a real one:', () => {
  it.each(runningScenarios)('$title', { timeout: 240_000 }, async (scenario: Scenario) => {
    const namespace = `kubectl-${randomBytes(4).toString('hex')}`;
    for (const plane of [real, embedded]) await prepareNamespace(plane, namespace);
    const theirs = await transcriptOf(real, namespace, scenario);
    const ours = await transcriptOf(embedded, namespace, scenario);
    expect(ours).toEqual(theirs);
  });
});

describe('kubectl on the embedded server', () => {
  it('shows the resource usage of nodes and pods', async () => {
    await prepareNamespace(embedded, 'usage');
    await embedded.kubectl(['run', 'busy', '--image=busy:1', '--namespace=usage']);
    await embedded.kubectl(['wait', 'pod/busy', '--for=condition=Ready', '--namespace=usage']);

    const nodes = await embedded.kubectl(['top', 'node']);
    expect(nodes).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/node-a +\d+m +\d+% +\d+Mi +\d+%/),
    });
    const pods = await embedded.kubectl(['top', 'pod', '--namespace=usage']);
    expect(pods).toMatchObject({ code: 0, stdout: expect.stringMatching(/busy +\d+m +\d+Mi/) });
  });

  it('shows the log of a pod, to its end if asked to follow it', async () => {
    const inNamespace = '--namespace=logged';
    await runPod('logged');
    const started = 'simulated container busy of pod logged/busy: no process runs in it\n';
    const log = await embedded.kubectl(['logs', 'busy', inNamespace]);
    expect(log).toMatchObject({ code: 0, stdout: expect.stringContaining(started) });
    await embedded.kubectl(['run', 'once', '--image=job:1', '--restart=Never', inNamespace]);
    const ended = '--for=jsonpath={.status.phase}=Succeeded';
    await embedded.kubectl(['wait', 'pod/once', ended, inNamespace]);
    expect(await embedded.kubectl(['logs', 'once', '--follow', '--tail=1', inNamespace])).toMatchObject({
      code: 0,
      stdout: 'exited with code 0\n',
    });
    expect(await embedded.kubectl(['logs', 'busy', '--previous', inNamespace])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('previous terminated container "busy" in pod "busy" not found'),
    });
  });

  it.each([
    ['exec', ['busy', '--', 'date'], 'cannot run "date" in container busy of pod no-exec/busy'],
    ['attach', ['busy'], 'cannot attach to container busy of pod no-attach/busy'],
  ])('refuses %s in a sentence, since no process runs', async (command, args, sentence) => {
    await runPod(`no-${command}`);
    expect(await embedded.kubectl([command, `--namespace=no-${command}`, ...args])).toMatchObject({
      code: 126,
      stderr: expect.stringContaining(`${sentence}: the pod is simulated, and no process runs in it`),
    });
  });

  it('forwards a port to a page of the pod', async () => {
    await runPod('forwarded');
    const server = ['--server', embedded.url, '--token', embedded.token, '--insecure-skip-tls-verify'];
    const forward = ['kubectl', 'port-forward', 'pod/busy', ':80', '--namespace=forwarded', ...server];
    const child = spawn(await builtBinary(), forward, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout, 'data');
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? [];
    const pages = ['/a', '/b', '/c'].map((path) => fetch(`http://127.0.0.1:${port}${path}`));
    const texts = await Promise.all(pages.map(async (page) => (await page).text()));
    child.kill();
    expect(texts.map((text) => text.split('\n')[0])).toEqual([
      'simulated pod forwarded/busy, port 80: GET /a',
      'simulated pod forwarded/busy, port 80: GET /b',
      'simulated pod forwarded/busy, port 80: GET /c',
    ]);
  });
});

async function runPod(namespace: string): Promise<void> {
  const { code } = await embedded.kubectl(['get', 'namespace', namespace]);
  if (code !== 0) await prepareNamespace(embedded, namespace);
  await embedded.kubectl(['run', 'busy', '--image=busy:1', `--namespace=${namespace}`]);
  await embedded.kubectl(['wait', 'pod/busy', '--for=condition=Ready', `--namespace=${namespace}`]);
}
