import type { BoundPodView } from '@karpenter/core/scheduling';
import { describe, expect, it } from 'vitest';
import type { ConstrainedSpec, SpreadSpec } from './pod-spec.ts';
import {
  bound,
  hostKey,
  isIn,
  newNode,
  newNodeIn,
  node,
  plan,
  pod,
  rejected,
  snapshot,
  zoneKey,
} from './trial/sample.ts';
import { rulesBroken, type SeededBug } from './trial/seeded-bug.ts';

const web = { app: 'web' };
const labelSelector = { matchLabels: web };

function apart(topologyKey: string): Partial<ConstrainedSpec> {
  const terms = [{ topologyKey, labelSelector }];
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

function together(topologyKey: string): Partial<ConstrainedSpec> {
  const terms = [{ topologyKey, labelSelector }];
  return { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

function spread(topologyKey: string, parts: Partial<SpreadSpec> = {}): Partial<ConstrainedSpec> {
  const spec = { topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector, ...parts };
  return { topologySpreadConstraints: [spec] };
}

function webs(spec: Partial<ConstrainedSpec>, ...names: string[]) {
  return names.map((name) => pod(name, spec, web));
}

const nodeA = node('in-a', { podRequests: { cpu: '1', pods: '1' } });
const oldWeb = bound('in-a', pod('old', {}, web));
const open = newNode(['q'], { requirements: [isIn(zoneKey, 'a', 'b')] });

const everyZone = ['a', 'b', 'c'];

const repulsion: readonly SeededBug[] = [
  {
    bug: 'pods on one host that repel each other',
    rule: 'pod-anti-affinity',
    snapshot: snapshot({ pods: webs(apart(hostKey), 'p', 'q') }),
    legal: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
    broken: plan({ newNodes: [newNode(['p', 'q'])] }),
  },
  {
    bug: 'pods in one zone that repel each other',
    rule: 'pod-anti-affinity',
    snapshot: snapshot({ pods: webs(apart(zoneKey), 'p', 'q') }),
    legal: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('a', 'q')] }),
  },
  {
    bug: 'pods that repel each other and might meet in a zone',
    rule: 'pod-anti-affinity',
    snapshot: snapshot({ pods: webs(apart(zoneKey), 'p', 'q') }),
    legal: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p'), open] }),
  },
  {
    bug: 'a pod beside one that it does not repel but that repels it',
    rule: 'pod-anti-affinity',
    snapshot: snapshot({ pods: [pod('p', apart(hostKey)), pod('q', {}, web)] }),
    legal: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
    broken: plan({ newNodes: [newNode(['p', 'q'])] }),
  },
  {
    bug: 'a pod in the zone of a running one that it repels',
    rule: 'pod-anti-affinity',
    snapshot: snapshot({ pods: webs(apart(zoneKey), 'p'), nodes: [nodeA], boundPods: [oldWeb] }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p')] }),
  },
  {
    bug: 'a pod in the zone of a running one that repels it',
    rule: 'pod-anti-affinity',
    snapshot: snapshot({
      pods: webs({}, 'p'),
      nodes: [nodeA],
      boundPods: [bound('in-a', pod('old', apart(zoneKey)))],
    }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ placements: [{ node: 'in-a', pods: ['p'] }] }),
  },
];

const attraction: readonly SeededBug[] = [
  {
    bug: 'a pod away from those that it must follow',
    rule: 'pod-affinity',
    snapshot: snapshot({ pods: [pod('p', together(zoneKey))], nodes: [nodeA], boundPods: [oldWeb] }),
    legal: plan({ newNodes: [newNodeIn('a', 'p')] }),
    broken: plan({ newNodes: [newNodeIn('b', 'p')] }),
  },
  {
    bug: 'a pod that might come out away from those that it must follow',
    rule: 'pod-affinity',
    snapshot: snapshot({ pods: [pod('q', together(zoneKey))], nodes: [nodeA], boundPods: [oldWeb] }),
    legal: plan({ newNodes: [newNodeIn('a', 'q')] }),
    broken: plan({ newNodes: [open] }),
  },
  {
    bug: 'a second start where the first could be followed',
    rule: 'pod-affinity',
    snapshot: snapshot({ pods: webs(together(zoneKey), 'p', 'q') }),
    legal: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('a', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')] }),
  },
  {
    bug: 'a pod that follows nobody and is not of the kind it follows',
    rule: 'pod-affinity',
    snapshot: snapshot({ pods: [pod('p', together(hostKey)), pod('q', {}, web)] }),
    legal: plan({ newNodes: [newNode(['p', 'q'])] }),
    broken: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
  },
];

const terminating = (view: BoundPodView): BoundPodView => ({
  ...view,
  metadata: { ...view.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

const balance: readonly SeededBug[] = [
  {
    bug: 'a zone too far ahead of the others',
    rule: 'topology-spread',
    snapshot: snapshot({ pods: webs(spread(zoneKey), 'p', 'q') }),
    legal: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('a', 'q')] }),
  },
  {
    bug: 'a zone too far ahead because of what runs there',
    rule: 'topology-spread',
    snapshot: snapshot({ pods: webs(spread(zoneKey), 'p'), nodes: [nodeA], boundPods: [oldWeb] }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p')] }),
  },
  {
    bug: 'a zone too far ahead for what runs elsewhere and is being deleted',
    rule: 'topology-spread',
    snapshot: snapshot({
      pods: webs(spread(zoneKey), 'p', 'q'),
      nodes: everyZone.map((zone) => node(`in-${zone}`, { labels: { [zoneKey]: zone } })),
      boundPods: everyZone
        .slice(1)
        .map((zone) => terminating(bound(`in-${zone}`, pod(`old-${zone}`, {}, web)))),
    }),
    legal: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('a', 'q')] }),
  },
  {
    bug: 'a spread pod whose zone is left open',
    rule: 'topology-spread',
    snapshot: snapshot({ pods: webs(spread(zoneKey), 'q') }),
    legal: plan({ newNodes: [newNodeIn('a', 'q')] }),
    broken: plan({ newNodes: [open] }),
  },
  {
    bug: 'too many pods of one kind on a host',
    rule: 'topology-spread',
    snapshot: snapshot({ pods: webs(spread(hostKey), 'p', 'q') }),
    legal: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
    broken: plan({ newNodes: [newNode(['p', 'q'])] }),
  },
  {
    bug: 'fewer domains than minDomains taken for balance',
    rule: 'topology-spread',
    snapshot: snapshot({
      pods: webs(spread(zoneKey, { minDomains: 4 }), 'p'),
      nodes: everyZone.map((zone) => node(`in-${zone}`, { labels: { [zoneKey]: zone } })),
      boundPods: everyZone.map((zone) => bound(`in-${zone}`, pod(`old-${zone}`, {}, web))),
    }),
    legal: plan({ rejections: rejected('p') }),
    broken: plan({ placements: [{ node: 'in-a', pods: ['p'] }] }),
  },
];

describe('the plan checker', () => {
  it.each([...repulsion, ...attraction, ...balance])('catches $bug', (bug) => {
    expect(rulesBroken(bug, 'legal')).toEqual([]);
    expect(rulesBroken(bug, 'broken')).toContain(bug.rule);
  });
});
