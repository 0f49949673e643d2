import { labelKeys } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import { describe, expect, it } from 'vitest';
import {
  bound,
  isIn,
  newNode,
  node,
  nodePool,
  plan,
  pod,
  rejected,
  reservationKey,
  reservedNode,
  reservedType,
  snapshot,
  strict,
  zoneKey,
} from './trial/sample.ts';
import { rulesBroken, type SeededBug } from './trial/seeded-bug.ts';

const fallback = { ...strict, reservedCapacity: { idLabel: reservationKey, mode: 'fallback' as const } };
const inZoneA = isIn(zoneKey, 'a');
const onDemand = isIn(labelKeys.capacityType, 'on-demand');
const unreserved = (...pods: string[]) => newNode(pods, { requirements: [inZoneA, onDemand] });
const isReserved = isIn(labelKeys.capacityType, 'reserved');

function cluster(types: readonly InstanceType[], ...names: string[]) {
  const nodePools = [nodePool('main')];
  return snapshot({
    pods: names.map((name) => pod(name)),
    nodePools,
    instanceTypes: new Map([['main', types]]),
  });
}

/** One instance for two pods that each fill half of it. */
const one = cluster([reservedType('small', 1)], 'p', 'q');
/** One instance for two pods that each fill it. */
const full = snapshot({
  pods: ['p', 'q'].map((name) =>
    pod(name, { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] }),
  ),
  instanceTypes: new Map([['main', [reservedType('small', 1)]]]),
});
const filled = (name: string) => ({ requests: { cpu: '2', pods: '1' }, pods: [name] });

/** An exhausted reservation in zone b. */
const usedUpInB = (): InstanceType => {
  const type = reservedType('other', 0, 'cr-2');
  const inZoneB = type.offerings.map((offering) =>
    offering.reservationCapacity === undefined
      ? offering
      : { ...offering, requirements: [isIn(zoneKey, 'b'), isReserved, isIn(reservationKey, 'cr-2')] },
  );
  return { ...type, offerings: inZoneB };
};
const repelsWeb = pod('repelling', {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: zoneKey, labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
});

/** Requires the first term or else zone b, and prefers nodes that have a team label. */
const choosy = (name: string, first: RequirementItem) =>
  pod(name, {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [first] }, { matchExpressions: [isIn(zoneKey, 'b')] }],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'team', operator: 'Exists' }] } },
        ],
      },
    },
  });

const bugs: readonly SeededBug[] = [
  {
    bug: 'two nodes on the one instance of a reservation',
    rule: 'reservation',
    snapshot: full,
    legal: plan({ newNodes: [{ ...reservedNode([], 'cr-1'), ...filled('p') }], deferred: ['q'] }),
    broken: plan({
      newNodes: ['p', 'q'].map((name) => ({ ...reservedNode([], 'cr-1'), ...filled(name) })),
    }),
    options: strict,
  },
  {
    bug: 'a stock for each type instead of one for the reservation they share',
    rule: 'reservation',
    snapshot: cluster([reservedType('small', 1), reservedType('twin', 1)], 'p', 'q'),
    legal: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1')] }),
    broken: plan({
      newNodes: [reservedNode(['p'], 'cr-1'), { ...reservedNode(['q'], 'cr-1'), instanceTypes: ['twin'] }],
    }),
    options: strict,
  },
  {
    bug: 'more than the least that is reported',
    rule: 'reservation',
    snapshot: cluster([reservedType('small', 2), reservedType('twin', 1)], 'p', 'q'),
    legal: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1')] }),
    broken: plan({ newNodes: [reservedNode(['p'], 'cr-1'), reservedNode(['q'], 'cr-1')] }),
    options: strict,
  },
  {
    bug: 'a node that may be reserved or not',
    rule: 'reservation-pinning',
    snapshot: one,
    legal: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1')] }),
    broken: plan({ newNodes: [newNode(['p', 'q'], { requirements: [inZoneA], price: 0.001 })] }),
    options: strict,
  },
  {
    bug: 'a reserved node that does not say which reservation it holds',
    rule: 'reservation-pinning',
    snapshot: one,
    legal: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1')] }),
    broken: plan({ newNodes: [newNode(['p', 'q'], { requirements: [inZoneA, isReserved], price: 0.001 })] }),
    options: strict,
  },
  {
    bug: 'a reservation named that the node cannot use',
    rule: 'reservation-pinning',
    snapshot: one,
    legal: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1')] }),
    broken: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1', 'cr-9')] }),
    options: strict,
  },
  {
    bug: 'other capacity for pods that must wait',
    rule: 'reservation-fallback',
    snapshot: full,
    legal: plan({ newNodes: [{ ...reservedNode([], 'cr-1'), ...filled('p') }], deferred: ['q'] }),
    broken: plan({
      newNodes: [
        { ...reservedNode([], 'cr-1'), ...filled('p') },
        { ...unreserved(), ...filled('q') },
      ],
    }),
    options: strict,
  },
  {
    bug: 'pods that wait where they need not',
    rule: 'false-deferral',
    snapshot: full,
    legal: plan({
      newNodes: [
        { ...reservedNode([], 'cr-1'), ...filled('p') },
        { ...unreserved(), ...filled('q') },
      ],
    }),
    broken: plan({ newNodes: [{ ...reservedNode([], 'cr-1'), ...filled('p') }], deferred: ['q'] }),
    options: fallback,
  },
  {
    bug: 'a pod that waits although an instance is left',
    rule: 'false-deferral',
    snapshot: one,
    legal: plan({ newNodes: [reservedNode(['p', 'q'], 'cr-1')] }),
    broken: plan({ deferred: ['p', 'q'] }),
    options: strict,
  },
  {
    bug: 'a pod that waits for a reservation that it cannot use',
    rule: 'false-deferral',
    snapshot: snapshot({
      pods: [pod('p', { nodeSelector: { [zoneKey]: 'b' } })],
      instanceTypes: new Map([['main', [reservedType('small', 0)]]]),
    }),
    legal: plan({ newNodes: [newNode(['p'], { requirements: [isIn(zoneKey, 'b'), onDemand] })] }),
    broken: plan({ deferred: ['p'] }),
    options: strict,
  },
  {
    bug: 'a pod that waits although a node has room for it',
    rule: 'false-deferral',
    snapshot: { ...one, nodes: [node('n')] },
    legal: plan({ placements: [{ node: 'n', pods: ['p', 'q'] }] }),
    broken: plan({ placements: [{ node: 'n', pods: ['p'] }], deferred: ['q'] }),
    options: strict,
  },
  {
    bug: 'a pod that waits like one which others keep from the zone of the instance',
    rule: 'false-deferral',
    snapshot: snapshot({
      pods: [pod('repelled', {}, { app: 'web' }), pod('free')],
      instanceTypes: new Map([['main', [reservedType('small', 2), usedUpInB()]]]),
      nodes: [node('n', { podRequests: { cpu: '4' } })],
      boundPods: [bound('n', repelsWeb)],
    }),
    legal: plan({ newNodes: [reservedNode(['free'], 'cr-1')], deferred: ['repelled'] }),
    broken: plan({ deferred: ['repelled', 'free'] }),
    options: strict,
  },
  {
    bug: 'a pod that waits for what it could use only with a label that no pool has',
    rule: 'false-deferral',
    snapshot: snapshot({
      pods: [
        choosy('absent', { key: 'team', operator: 'NotIn', values: ['red'] }),
        choosy('present', isIn('team', 'red')),
      ],
      instanceTypes: new Map([['main', [reservedType('small', 0)]]]),
    }),
    legal: plan({
      newNodes: [newNode(['present'], { requirements: [isIn(zoneKey, 'b'), onDemand] })],
      deferred: ['absent'],
    }),
    broken: plan({ deferred: ['absent', 'present'] }),
    options: strict,
  },
  {
    bug: 'a pod both deferred and rejected',
    rule: 'repeated-pod',
    snapshot: full,
    legal: plan({ newNodes: [{ ...reservedNode([], 'cr-1'), ...filled('p') }], deferred: ['q'] }),
    broken: plan({
      newNodes: [{ ...reservedNode([], 'cr-1'), ...filled('p') }],
      deferred: ['q'],
      rejections: rejected('q'),
    }),
    options: strict,
  },
];

describe('the plan checker', () => {
  it.each(bugs)('accepts a legal plan and catches $bug', (bug) => {
    expect(rulesBroken(bug, 'legal')).toEqual([]);
    expect(rulesBroken(bug, 'broken')).toContain(bug.rule);
  });

  it('leaves reservations alone while the gate is off', () => {
    const bug = bugs[3];
    const off = { ...bug, options: {} } as SeededBug;
    expect(rulesBroken(off, 'broken')).toEqual([]);
  });
});
