import { fileURLToPath } from 'node:url';
import { runControllerProcess, settingsWith, startSimulatedRun } from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addNodes, type RunningCluster, startReal } from '../clients/running-clusters.ts';
import { expectSuccess } from '../cluster/shared-control-plane.ts';
import { collectingLog, controllerFlags } from '../walkthroughs/world.ts';
import { chartPaths } from './charts.ts';
import { clusterSteps, type StepRunner, stepRunner } from './documented-steps.ts';

const karpenterLayout = fileURLToPath(new URL('./karpenter-layout', import.meta.url));
/** A machine that is busy with other tests may hold this process up for longer than the default of 10 s. */
const election = { leaseDuration: durationMs(120_000), renewDeadline: durationMs(110_000) };

let cluster: RunningCluster;
let steps: StepRunner;
beforeEach(async () => {
  cluster = await startReal();
  await addNodes(cluster);
  steps = await stepRunner(cluster);
}, 60_000);
afterEach(async () => {
  await steps.close();
  await cluster.stop();
}, 60_000);

async function runAll(path: string): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (const step of clusterSteps(path)) outputs.push(await steps.run(step));
  return outputs;
}

/** The controllers that the pods of the chart would run, with a simulated account. */
function startControllers(): () => Promise<void> {
  const config = { server: cluster.url, ca: cluster.caPem, credentials: tokenCredentials(cluster.token) };
  const log = collectingLog([], () => Date.now());
  const simulation = startSimulatedRun({ config, clusterName: 'dev', clock: systemClock, log });
  const ended = new AbortController();
  const running = runControllerProcess({
    config,
    settings: settingsWith(controllerFlags),
    account: simulation.account,
    clock: systemClock,
    election,
    log,
    signal: ended.signal,
  });
  return async () => {
    ended.abort();
    await running;
    await simulation.stop();
  };
}

describe('the commands of', () => {
  it('getting-started-eks.md lead to a first node and leave nothing behind', async () => {
    const [definitions, controllers, pools, pods, fewer, cleanUp] = clusterSteps(
      'docs/getting-started-eks.md',
    );
    await steps.run(`${definitions}${controllers}`);
    const stop = startControllers();
    try {
      await steps.run(`${pools}`);
      expect(await steps.run(`${pods}`)).toMatch(/^(spot|on-demand)-\w+ .* True /m);
      await steps.run(`${fewer}`);
      await steps.run(`${cleanUp}`);
    } finally {
      await stop();
    }
    expect(await steps.run('helm list --all --all-namespaces --short; kubectl get crds -o name')).toBe('');
  }, 300_000);

  it('switching.md lead from Karpenter’s chart to ours and back', async () => {
    const karpenter = [
      '--namespace=kube-system',
      '--set=settings.clusterName=dev',
      '--wait',
      '--timeout=2m',
    ].join(' ');
    await steps.run(`helm install karpenter ${karpenterLayout} ${karpenter}`);
    await expectSuccess(cluster.kubectl(['create', '-f', `${chartPaths.karpenter}/crds`]));
    const autoscaler = [
      'create',
      'deployment',
      'cluster-autoscaler',
      '--image=autoscaler',
      '--namespace=kube-system',
    ];
    await expectSuccess(cluster.kubectl(autoscaler));
    await runAll('docs/switching.md');
    const image = 'kubectl get deployment/karpenter --namespace kube-system -o jsonpath={..image}';
    expect(await steps.run(image)).toBe('public.ecr.aws/karpenter/controller:1.14.1');
  }, 300_000);

  it('installing/charts.md, monitoring.md and upgrading.md work one after the other', async () => {
    await runAll('docs/installing/charts.md');
    await runAll('docs/monitoring.md');
    await runAll('docs/upgrading.md');
    const history = await steps.run('helm history karpenter --namespace kube-system -o json');
    const releases: readonly { readonly status: string; readonly description: string }[] =
      JSON.parse(history);
    expect(releases.map(({ description }) => description)).toContain('Rollback to 2');
    expect(releases.at(-1)).toMatchObject({ status: 'deployed', description: 'Upgrade complete' });
  }, 300_000);
});
