import { randomBytes } from 'node:crypto';
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

  it.each(['logs', 'exec', 'attach'])('refuses %s, since no container runs', async (command) => {
    await prepareNamespace(embedded, `no-${command}`);
    await embedded.kubectl(['run', 'busy', '--image=busy:1', `--namespace=no-${command}`]);
    await embedded.kubectl(['wait', 'pod/busy', '--for=condition=Ready', `--namespace=no-${command}`]);

    const args = command === 'exec' ? ['busy', '--', 'date'] : ['busy'];
    expect(await embedded.kubectl([command, `--namespace=no-${command}`, ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the embedded cluster does not run containers'),
    });
  });
});
