import { labelKeys } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { describe, expect, it } from 'vitest';
import {
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
