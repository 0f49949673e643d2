import { planSteps } from '@karpenter/core/scheduling';
import { instanceType, planOptions, pod, pods, snapshot } from '@karpenter/testkit/snapshots';
import { table } from './harness/compare.mjs';

// For how long a plan blocks the event loop when pods have as many fields as Kubernetes' limit on a stored object
// (1.5 MiB) allows: the longest of its steps, between which the controllers yield. Anyone who may create a pod can
// make the controllers plan for such a one.

const goalMs = 250;
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const labelSelector = { matchLabels: { app: 'web' } };
const weight = (index) => 1 + (index % 100);
const preferred = (terms) => ({ preferredDuringSchedulingIgnoredDuringExecution: terms });
const podTerm = (topologyKey, selector = labelSelector) => ({ topologyKey, labelSelector: selector });
const rack = (index) => ({
  matchExpressions: [{ key: 'example.com/rack', operator: 'In', values: [`${index}`] }],
});
const spread = (index) => ({
  topologyKey: `example.com/${index}`,
  maxSkew: 1,
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector,
});

const worstPods = {
  '8,000 preferred anti-affinity terms': {
    affinity: {
      podAntiAffinity: preferred(
        times(8_000, (index) => ({
          weight: weight(index),
          podAffinityTerm: podTerm(`example.com/${index}`),
        })),
      ),
    },
  },
  '8,000 preferred affinity terms': {
    affinity: {
      podAffinity: preferred(
        times(8_000, (index) => ({
          weight: weight(index),
          podAffinityTerm: podTerm('topology.kubernetes.io/zone', { matchLabels: { app: `${index}` } }),
        })),
      ),
    },
  },
  '10,000 preferred node affinity terms': {
    affinity: {
      nodeAffinity: preferred(times(10_000, (index) => ({ weight: weight(index), preference: rack(index) }))),
    },
  },
  '10,000 required node affinity terms': {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: times(10_000, rack) },
      },
    },
  },
  '8,000 spread constraints': { topologySpreadConstraints: times(8_000, spread) },
  '20,000 tolerations': {
    tolerations: times(20_000, (index) => ({ key: `example.com/${index}`, operator: 'Exists' })),
  },
  '20,000 labels of nodes': {
    nodeSelector: Object.fromEntries(times(20_000, (index) => [`example.com/${index}`, 'yes'])),
  },
  '20,000 resources': { extra: Object.fromEntries(times(20_000, (index) => [`example.com/${index}`, '1'])) },
};

const types = times(1_000, (index) => instanceType(`type-${index}`, { price: 1 + index / 100 }));
const daemonPods = [pod('agent', { cpu: '100m' })];

function measured(parts, count) {
  const planned = snapshot({
    pods: pods(count, 'web', { labels: { app: 'web' }, ...parts }),
    types,
    daemonPods,
  });
  const steps = planSteps(planned, planOptions);
  const begun = performance.now();
  let longest = 0;
  for (let isOver = false; !isOver; ) {
    const started = performance.now();
    isOver = steps.next().done === true;
    longest = Math.max(longest, performance.now() - started);
  }
  return { longest, total: performance.now() - begun };
}

export function run() {
  const rows = Object.entries(worstPods).flatMap(([name, parts]) =>
    [1, 50].map((count) => ({ name, count, ...measured(parts, count) })),
  );
  const longest = Math.max(...rows.map((row) => row.longest));
  return {
    exact: {},
    perSecond: {},
    bytes: {},
    report: [
      table([
        ['pod', 'pods', 'longest step, ms', 'plan, ms'],
        ...rows.map(({ name, count, longest: step, total }) => [
          name,
          `${count}`,
          step.toFixed(0),
          total.toFixed(0),
        ]),
      ]),
      `longest step ${longest.toFixed(0)} ms; the goal is at most ${goalMs}`,
    ].join('\n'),
  };
}
