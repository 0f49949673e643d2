import { pendingPod } from '@karpenter/testkit/cluster-objects';
import { managedNode, runningPods } from '@karpenter/testkit/disruptable-clusters';
import { explainedWith, findingTexts, readyPool } from '@karpenter/testkit/explained-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { explainPendingPod } from './pending-pod.ts';

type Parts = Parameters<typeof explainedWith>[0];
type Pod = ReturnType<typeof pendingPod>;

const never = () => false;
const zone = 'topology.kubernetes.io/zone';

function explanationOf(pod: Pod, parts: Parts = {}) {
  return explainPendingPod(explainedWith({ ...parts, pods: [pod, ...(parts?.pods ?? [])] }), pod, never);
}

const helpful = (pod: Pod, parts: Parts = {}) =>
  explanationOf(pod, parts).changes.map(({ text, patch, together }) => ({
    text,
    patch,
    ...(together && { together }),
  }));

describe('a pending pod', () => {
  it('that the next plan gives a node names the type and its price', () => {
    const { summary, changes } = explanationOf(pendingPod('web'));
    expect(summary).toBe(
      'The next plan launches a node of NodePool default for it: medium on-demand a at $0.2000/h.',
    );
    expect(changes).toEqual([]);
  });

  it('is offered a toleration for the taint of a NodePool', () => {
    const pools = [readyPool('default', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] })];
    const pod = pendingPod('web');
    expect(findingTexts(explanationOf(pod, { pools }))).toContain(
      'blocked: the pod does not tolerate the taint team=a:NoSchedule',
    );
    expect(helpful(pod, { pools })).toEqual([
      {
        text: 'let the pod tolerate team=a:NoSchedule',
        patch: [
          {
            op: 'add',
            path: '/spec/tolerations',
            value: [{ key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' }],
          },
        ],
      },
    ]);
  });

  it('that asks for more than any type has is offered the largest request that fits', () => {
    const pod = pendingPod('huge', { cpu: '20' });
    expect(findingTexts(explanationOf(pod))).toContain(
      'blocked: the pod asks for 20 cpu; the largest type of the NodePool, large, has 8 cpu for pods',
    );
    expect(helpful(pod)).toEqual([
      {
        text: 'request 8 cpu instead of 20 cpu',
        patch: [{ op: 'replace', path: '/spec/containers/0/resources/requests/cpu', value: '8' }],
      },
    ]);
  });

  it('that needs one resource of one type and another of another type may give up either', () => {
    const types = [
      instanceType('compute', { cpu: '16', memory: '8Gi', price: 0.2 }),
      instanceType('memory', { cpu: '2', memory: '64Gi', price: 0.4 }),
    ];
    const texts = helpful(pendingPod('both', { cpu: '10', memory: '32Gi' }), { types }).map(
      ({ text }) => text,
    );
    expect(texts).toEqual(['request 8Gi memory instead of 32Gi memory', 'request 2 cpu instead of 10 cpu']);
  });

  it('that selects a zone which the NodePool leaves out can change either side', () => {
    const pools = [readyPool('default', { requirements: [{ key: zone, operator: 'In', values: ['a'] }] })];
    const pod = pendingPod('web', { nodeSelector: { [zone]: 'b' } });
    expect(findingTexts(explanationOf(pod, { pools }))).toContain(
      `blocked: the pod asks for ${zone} In [b]; the NodePool has ${zone} In [a]`,
    );
    expect(helpful(pod, { pools }).map(({ text }) => text)).toEqual([
      `drop ${zone}=b from the node selector of the pod`,
      `let NodePool default allow b for ${zone}`,
      `drop the requirement ${zone} In [a] of NodePool default`,
    ]);
  });

  it('that selects a zone without offerings sees which zones there are', () => {
    const pod = pendingPod('web', { nodeSelector: { [zone]: 'z' } });
    expect(findingTexts(explanationOf(pod))).toContain(
      `blocked: the pod asks for ${zone} In [z]; the types of the NodePool have a, b, c`,
    );
  });

  it('that asks for a label of its own is offered that label on the NodePool', () => {
    const pod = pendingPod('web', { nodeSelector: { team: 'blue' } });
    expect(helpful(pod).map(({ text }) => text)).toEqual([
      'drop team=blue from the node selector of the pod',
      'label the nodes of NodePool default with team=blue',
    ]);
  });

  it('that limits keep out is offered the smallest limit that would do', () => {
    const pools = [readyPool('default', { limits: { cpu: '2' } })];
    const pod = pendingPod('web');
    expect(findingTexts(explanationOf(pod, { pools }))).toContain(
      'blocked: limits.cpu is 2: 0 cpu in use, 2 cpu left',
    );
    expect(helpful(pod, { pools })).toEqual([
      {
        text: 'raise limits.cpu of NodePool default from 2 to 4',
        patch: [{ op: 'replace', path: '/spec/limits/cpu', value: '4' }],
      },
    ]);
  });

  it('that a limit keeps from types with a part of a device is offered its removal', () => {
    const gpu = 'example.com/gpu';
    const sliced = { ...instanceType('sliced', { cpu: '4', price: 0.1 }), partialDevices: [gpu] };
    const pools = [readyPool('default', { limits: { [gpu]: '4', cpu: '100' } })];
    const parts = { pools, types: [sliced] };
    expect(findingTexts(explanationOf(pendingPod('web'), parts))).toContainEqual(
      expect.stringContaining('remove the limit on example.com/gpu of nodepool default'),
    );
    expect(helpful(pendingPod('web'), parts)).toEqual([
      {
        text: 'remove limits.example.com/gpu of NodePool default, which excludes types with a part of a device',
        patch: [{ op: 'remove', path: '/spec/limits/example.com~1gpu' }],
      },
    ]);
  });

  it('that competes for limits with other pods says so', () => {
    const pools = [readyPool('default', { limits: { cpu: '4' } })];
    const [first, second] = ['a', 'b'].map((name) => pendingPod(name, { cpu: '3' }));
    if (first === undefined || second === undefined) throw new Error('two pods were made');
    const { changes, ...explanation } = explanationOf(second, { pools, pods: [first] });
    expect(findingTexts({ ...explanation, changes })).toContain(
      'blocked: other pending pods use up what is left of its limits',
    );
    expect(changes[0]?.text).toMatch(/^raise limits.cpu/);
  });

  it('that minValues keep out is offered to drop them', () => {
    const key = 'node.kubernetes.io/instance-type';
    const pools = [readyPool('default', { requirements: [{ key, operator: 'Exists', minValues: 5 }] })];
    expect(helpful(pendingPod('web'), { pools })[0]?.text).toBe(
      `drop minValues 5 of ${key} from NodePool default`,
    );
  });

  it('whose NodePool is not ready says why, without a patch', () => {
    const conditions = ['NodeClassReady', 'Ready'].map((type) => ({
      type,
      status: 'False' as const,
      reason: 'NodeClassNotFound',
      message: 'NodeClass not found on cluster',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }));
    const pools = [readyPool('default', { conditions })];
    const obstacle =
      'its condition NodeClassReady is False (NodeClassNotFound: NodeClass not found on cluster)';
    expect(findingTexts(explanationOf(pendingPod('web'), { pools }))).toContain(
      `blocked: the NodePool is not ready: ${obstacle}`,
    );
    expect(helpful(pendingPod('web'), { pools })).toEqual([
      { text: `make NodePool default ready: ${obstacle}`, patch: undefined },
    ]);
  });

  it('that spreads over a zone which it may not use is offered a soft constraint', () => {
    const types = [instanceType('medium', { price: 0.2, zones: ['a'] })];
    const labels = { app: 'web' };
    const pod = pendingPod('web', {
      labels,
      topologySpreadConstraints: [
        {
          topologyKey: zone,
          maxSkew: 1,
          minDomains: 3,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: labels },
        },
      ],
    });
    const full = managedNode('full', { pods: runningPods(1, 'full', { labels, cpu: '8' }) });
    const { changes } = explanationOf(pod, { types, managedNodes: [full] });
    expect(changes[0]).toMatchObject({
      text: `only prefer the topology spread by ${zone} (whenUnsatisfiable: ScheduleAnyway)`,
      patch: [
        {
          op: 'replace',
          path: '/spec/topologySpreadConstraints/0/whenUnsatisfiable',
          value: 'ScheduleAnyway',
        },
        { op: 'remove', path: '/spec/topologySpreadConstraints/0/minDomains' },
      ],
    });
  });

  it('that fails several checks is offered the changes that help together', () => {
    const pools = [
      readyPool('default', {
        taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }],
        requirements: [{ key: zone, operator: 'In', values: ['a'] }],
      }),
    ];
    const pod = pendingPod('web', { nodeSelector: { [zone]: 'b' } });
    const [change, ...others] = helpful(pod, { pools });
    expect([change?.text, change?.together?.map(({ text }) => text), others]).toEqual([
      'let the pod tolerate team=a:NoSchedule',
      [`drop ${zone}=b from the node selector of the pod`],
      [],
    ]);
  });

  it('drops a whole node affinity with its last expression, because an empty term matches nothing', () => {
    const matchExpressions = [{ key: zone, operator: 'In', values: ['z'] }];
    const required = { nodeSelectorTerms: [{ matchExpressions }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    expect(helpful(pendingPod('web', { affinity }))[0]?.patch).toEqual([
      { op: 'remove', path: '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution' },
    ]);
  });

  it('that nothing helps says so and what is left', () => {
    const types = [instanceType('medium', { price: 0.2, zones: ['a'], unavailable: ['a/on-demand'] })];
    const { summary, changes, ...rest } = explanationOf(pendingPod('web'), { types });
    expect(changes).toEqual([]);
    expect(summary).toBe(
      'Pod default/web is pending: no node and no NodePool can take it; no change of the pod or of the NodePools that was tried would help.',
    );
    expect(findingTexts({ summary, changes, ...rest })).toContain(
      'blocked: nodepool requirements filtered out all available instance types',
    );
  });

  it('lists the NodePool with the nearest miss first', () => {
    const taints = [{ key: 'team', value: 'a', effect: 'NoSchedule' as const }];
    const pools = [
      readyPool('far', { taints, limits: { cpu: '1' }, weight: 50 }),
      readyPool('near', { taints }),
    ];
    const { sections } = explanationOf(pendingPod('web'), { pools });
    expect(sections[0]?.findings.map(({ text }) => text)).toEqual(['NodePool near', 'NodePool far']);
  });

  it('with scheduling gates waits for nobody to look at it', () => {
    const pod = pendingPod('web');
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }];
    expect(explanationOf({ ...pod, status: { ...pod.status, conditions } }).summary).toBe(
      'Pod default/web has scheduling gates; until they are removed nobody looks for a node.',
    );
  });

  it('stops the search when the time is over, and says so', () => {
    const pod = pendingPod('huge', { cpu: '20' });
    const { summary, changes } = explainPendingPod(explainedWith({ pods: [pod] }), pod, () => true);
    expect(changes).toEqual([]);
    expect(summary).toContain('the search for a change that helps was cut short');
  });
});
