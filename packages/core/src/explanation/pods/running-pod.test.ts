import { boundPod, budget } from '@karpenter/testkit/cluster-objects';
import { managedNode } from '@karpenter/testkit/disruptable-clusters';
import { explainedWith, findingTexts } from '@karpenter/testkit/explained-clusters';
import { describe, expect, it } from 'vitest';
import { explainRunningPod } from './running-pod.ts';

const zone = 'topology.kubernetes.io/zone';

function explanationOf(pod: ReturnType<typeof boundPod>, more: Parameters<typeof explainedWith>[0] = {}) {
  const { managedNodes = [], ...rest } = more;
  const explained = explainedWith({
    managedNodes: [managedNode('n', { pods: [pod] }), ...managedNodes],
    ...rest,
  });
  return explainRunningPod(explained, pod);
}

describe('a running pod', () => {
  it('names the labels that it asks for and the node has', () => {
    const pod = boundPod('web', 'n', { owner: 'ReplicaSet/web', nodeSelector: { [zone]: 'a' } });
    expect(findingTexts(explanationOf(pod))).toEqual(
      expect.arrayContaining([
        `met: the pod asks for ${zone} In [a]; the node has a`,
        'fact: no other node has the labels, taints and room for it now',
      ]),
    );
  });

  it('names other nodes that would have room', () => {
    const pod = boundPod('web', 'n', { owner: 'ReplicaSet/web' });
    expect(findingTexts(explanationOf(pod, { managedNodes: [managedNode('m')] }))).toContain(
      'fact: 1 other node would have room for it now: m',
    );
  });

  it('of a DaemonSet is there because of its DaemonSet', () => {
    const pod = boundPod('cni', 'n', { owner: 'DaemonSet/cni' });
    expect(findingTexts(explanationOf(pod))).toContain(
      'fact: its DaemonSet runs one pod on every node that it selects',
    );
  });

  it('that must not be disrupted keeps its node', () => {
    const pod = boundPod('web', 'n', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    const explanation = explanationOf(pod);
    expect(explanation.summary).toBe('Pod default/web is on node n and keeps it from being disrupted.');
    expect(findingTexts(explanation)).toContain(
      'blocked: Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)',
    );
  });

  it('names its PodDisruptionBudget with what it allows', () => {
    const pod = boundPod('web', 'n', { owner: 'ReplicaSet/web' });
    const budgets = [{ ...budget('web'), status: { disruptionsAllowed: 2 } }];
    expect(findingTexts(explanationOf(pod, { budgets }))).toContain(
      'fact: PodDisruptionBudget default/web allows 2 disruptions now',
    );
  });

  it('that has ended says so', () => {
    const pod = boundPod('job', 'n', { phase: 'Succeeded' });
    expect(explanationOf(pod).summary).toBe('Pod default/job has ended (Succeeded) on node n.');
  });
});
