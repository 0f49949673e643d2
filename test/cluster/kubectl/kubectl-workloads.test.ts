import { randomBytes } from 'node:crypto';
import { connect, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startKubelets } from '@karpenter/sim';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickNode } from '../../clients/embedded-cluster.ts';
import { expectSuccess } from '../shared-control-plane.ts';
import { type EmbeddedPlane, startEmbeddedPlane } from './embedded-plane.ts';
import { prepareNamespace } from './prepared-namespace.ts';
import { runningScenarios } from './scenarios-running.ts';
import { type Scenario, transcriptOf } from './transcript.ts';

let real: ControlPlane;
let embedded: EmbeddedPlane;
let stopKubelets: () => Promise<void>;

/** A control plane of its own: nodes would disturb the other tests of the shared one. */
beforeAll(async () => {
  real = await startControlPlane();
  embedded = await startEmbeddedPlane(real.binary);
  const credentials = tokenCredentials(real.token);
  const client = connect({ server: real.url, ca: real.caPem, credentials }, { qps: 1_000, burst: 1_000 });
  const { fleet, stop } = startKubelets({ client, clock: systemClock });
  stopKubelets = async () => {
    await stop();
    await client.close();
  };
  for (const name of ['node-a', 'node-b']) {
    fleet.start(quickNode(name));
    embedded.cluster.fleet.start(quickNode(name));
  }
  for (const plane of [real, embedded]) {
    for (const state of ['create', 'condition=Ready'])
      await expectSuccess(
        plane.kubectl(['wait', 'node/node-a', 'node/node-b', `--for=${state}`, '--timeout=30s']),
      );
  }
}, 120_000);

afterAll(async () => {
  await stopKubelets();
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
  it('shows what nodes and pods use', async () => {
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
