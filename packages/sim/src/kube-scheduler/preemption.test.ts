import { describe, expect, it } from 'vitest';
import { chanceFrom } from '../objects/chance.ts';
import { NodeChooser } from './decide.ts';
import { podInfo } from './pods/pod-info.ts';
import { preempt } from './preemption.ts';
import { SchedulerState } from './state/cluster-state.ts';

const pod = (name: string, cpu: string, priority: number, app = name) =>
  podInfo({
    metadata: { name, namespace: 'default', uid: name, labels: { app } },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }], priority },
  });

function clusterOf(placed: readonly (readonly [ReturnType<typeof pod>, string])[]): SchedulerState {
  const cluster = new SchedulerState();
  for (const name of ['a', 'b']) {
    cluster.setNode({ metadata: { name }, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } } });
  }
  for (const [one, node] of placed) cluster.place(one, node);
  return cluster;
}

function makeRoom(
  cluster: SchedulerState,
  newcomer: ReturnType<typeof pod>,
  budgets: Parameters<typeof preempt>[2]['budgets'] = [],
) {
  const decision = new NodeChooser(cluster, chanceFrom(1)).decide(newcomer);
  if (!('diagnosis' in decision)) throw new Error('the pod fits as it is');
  return preempt(newcomer, decision.diagnosis, { cluster, budgets });
}

const names = (preemption: ReturnType<typeof preempt>) =>
  'victims' in preemption ? preemption.victims.map(({ key }) => key).sort() : preemption.message;

describe('preemption', () => {
  it('chooses the node with the least important victims, and as few as possible', () => {
    const cluster = clusterOf([
      [pod('middle', '3', 50), 'a'],
      [pod('low-1', '1', 1), 'b'],
      [pod('low-2', '1', 1), 'b'],
      [pod('low-3', '2', 1), 'b'],
    ]);

    const preemption = makeRoom(cluster, pod('urgent', '2', 100));

    expect(preemption).toMatchObject({ nodeName: 'b' });
    expect(names(preemption)).toEqual(['default/low-3']);
  });

  it('leaves the cluster state unchanged', () => {
    const cluster = clusterOf([
      [pod('low', '3', 1), 'a'],
      [pod('other', '3', 1), 'b'],
    ]);
    const before = cluster.nodes.map(({ pods, requested }) => [[...pods.keys()], requested.milliCpu]);

    makeRoom(cluster, pod('urgent', '2', 100));

    expect(cluster.nodes.map(({ pods, requested }) => [[...pods.keys()], requested.milliCpu])).toEqual(
      before,
    );
  });

  it('avoids victims that a PodDisruptionBudget protects', () => {
    const cluster = clusterOf([
      [pod('guarded', '3', 1, 'guarded'), 'a'],
      [pod('free', '3', 2), 'b'],
    ]);
    const budget = {
      metadata: { name: 'guarded', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'guarded' } } },
      status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 },
    };

    expect(names(makeRoom(cluster, pod('urgent', '2', 100), [budget]))).toEqual(['default/free']);
  });

  it('reserves the freed capacity for the preemptor', () => {
    const cluster = clusterOf([
      [pod('low', '3', 1), 'a'],
      [pod('blocker', '4', 100), 'b'],
    ]);
    const chooser = new NodeChooser(cluster, chanceFrom(1));
    const urgent = pod('urgent', '3', 50);
    chooser.nominate(urgent, 'a');
    cluster.unplace('default/low');

    expect(chooser.decide(pod('sneaky', '2', 1))).toHaveProperty('diagnosis');
    expect(chooser.decide(urgent)).toEqual({ nodeName: 'a' });
  });
});
