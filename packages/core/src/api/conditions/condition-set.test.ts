import { describe, expect, it } from 'vitest';
import type { Condition } from '../../schema/index.ts';
import {
  type ConditionedObject,
  getCondition,
  isConditionFalse,
  isConditionTrue,
  isConditionTrueNow,
  isConditionUnknown,
} from './condition.ts';
import {
  capacityBufferConditionSet,
  nodeClaimConditionSet,
  nodePoolConditionSet,
} from './kind-conditions.ts';
import { formatTimestamp } from './timestamp.ts';

const created = '2026-11-15T03:31:54Z';
const startMs = Date.parse(created);
const at = (seconds: number) => formatTimestamp(startMs + seconds * 1000);

function object(overrides: Partial<ConditionedObject> = {}): ConditionedObject {
  return { generation: 1, creationTimestamp: created, conditions: [], ...overrides };
}

/** Applies several changes to an object. */
function after(
  start: ConditionedObject,
  ...changes: readonly ((object: ConditionedObject) => readonly Condition[])[]
): ConditionedObject {
  let current = start;
  for (const change of changes) current = { ...current, conditions: change(current) };
  return current;
}

const types = ({ conditions }: Pick<ConditionedObject, 'conditions'>) => conditions.map(({ type }) => type);

describe('a new object', () => {
  it('gets its root and dependents as Unknown since its creation, root last', () => {
    const conditions = nodeClaimConditionSet.initialise(object());
    expect(types({ conditions })).toEqual(['Launched', 'Registered', 'Initialized', 'Ready']);
    for (const condition of conditions) {
      expect(condition).toMatchObject({
        status: 'Unknown',
        reason: 'AwaitingReconciliation',
        message: 'object is awaiting reconciliation',
        lastTransitionTime: created,
        observedGeneration: 1,
      });
    }
  });

  it('keeps existing conditions', () => {
    const launched = after(object(), (o) =>
      nodeClaimConditionSet.setTrue(o, { type: 'Launched', now: at(1) }),
    );
    expect(nodeClaimConditionSet.initialise(launched)).toEqual(launched.conditions);
  });
});

describe('setting a condition', () => {
  it('uses the type as the reason of True, without a message', () => {
    const conditions = nodeClaimConditionSet.setTrue(object(), { type: 'Launched', now: at(1) });
    expect(getCondition({ conditions }, 'Launched')).toEqual({
      type: 'Launched',
      status: 'True',
      reason: 'Launched',
      message: '',
      lastTransitionTime: at(1),
      observedGeneration: 1,
    });
  });

  it('uses an explicit reason and message', () => {
    const conditions = nodeClaimConditionSet.setTrue(object(), {
      type: 'Drifted',
      now: at(1),
      reason: 'AMIDrift',
      message: 'AMIDrift',
    });
    expect(getCondition({ conditions }, 'Drifted')).toMatchObject({
      reason: 'AMIDrift',
      message: 'AMIDrift',
    });
  });

  it('does not combine an explicit reason with the default message', () => {
    const conditions = nodeClaimConditionSet.setUnknown(object(), {
      type: 'Drained',
      now: at(1),
      reason: 'Draining',
    });
    expect(getCondition({ conditions }, 'Drained')).toMatchObject({ reason: 'Draining', message: '' });
  });

  it('gives an independent condition the time of the change', () => {
    const conditions = nodePoolConditionSet.setUnknown(object(), {
      type: 'NodeRegistrationHealthy',
      now: at(7),
    });
    expect(getCondition({ conditions }, 'NodeRegistrationHealthy')).toMatchObject({
      status: 'Unknown',
      reason: 'AwaitingReconciliation',
      lastTransitionTime: at(7),
    });
  });

  it('keeps observedGeneration of other conditions while the object exists', () => {
    const old = after(object(), (o) =>
      nodePoolConditionSet.setTrue(o, { type: 'NodeClassReady', now: at(1) }),
    );
    const conditions = nodePoolConditionSet.setTrue(
      { ...old, generation: 2 },
      { type: 'ValidationSucceeded', now: at(2) },
    );
    expect(getCondition({ conditions }, 'NodeClassReady')?.observedGeneration).toBe(1);
    expect(getCondition({ conditions }, 'ValidationSucceeded')?.observedGeneration).toBe(2);
    expect(getCondition({ conditions }, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'ReconcilingDependents',
      message: 'NodeClassReady=True',
      observedGeneration: 2,
    });
  });

  it('updates observedGeneration of all conditions while the object is being deleted', () => {
    const ready = after(
      object(),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Launched', now: at(1) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Registered', now: at(2) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Initialized', now: at(3) }),
    );
    const deleting = { ...ready, generation: 2, deletionTimestamp: at(4) };
    const conditions = nodeClaimConditionSet.setTrue(deleting, { type: 'InstanceTerminating', now: at(5) });
    expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2, 2, 2]);
    expect(getCondition({ conditions }, 'Ready')).toMatchObject({
      status: 'True',
      lastTransitionTime: at(3),
    });
  });

  it('adds fields that older releases left out', () => {
    const lenient = object({ conditions: [{ type: 'Drifted', status: 'True', lastTransitionTime: at(1) }] });
    const conditions = nodeClaimConditionSet.setTrue(lenient, { type: 'Launched', now: at(2) });
    expect(getCondition({ conditions }, 'Drifted')).toMatchObject({ reason: '', message: '' });
  });
});

describe('the root', () => {
  it('names unhealthy dependents, the newest transition first', () => {
    const claim = after(
      object(),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Launched', now: at(1) }),
      (o) =>
        nodeClaimConditionSet.setFalse(o, { type: 'Registered', now: at(2), reason: 'MultipleNodesFound' }),
    );
    expect(getCondition(claim, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'UnhealthyDependents',
      message: 'Registered=False, Initialized=Unknown',
    });
  });

  it('does not become False for a dependent observed on an earlier generation', () => {
    const pool = after(object(), (o) =>
      nodePoolConditionSet.setFalse(o, { type: 'NodeClassReady', now: at(1), reason: 'NodeClassNotFound' }),
    );
    const conditions = nodePoolConditionSet.setTrue(
      { ...pool, generation: 2 },
      { type: 'ValidationSucceeded', now: at(2) },
    );
    expect(getCondition({ conditions }, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'ReconcilingDependents',
      message: 'NodeClassReady=False',
    });
  });

  it('is not added to kinds without one', () => {
    const conditions = capacityBufferConditionSet.setTrue(object(), {
      type: 'ReadyForProvisioning',
      now: at(1),
      reason: 'Resolved',
    });
    expect(types({ conditions })).toEqual(['ReadyForProvisioning']);
  });
});

describe('the stored order', () => {
  it('equals that of a NodeClaim in a running cluster', () => {
    const claim = after(
      object(),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Launched', now: at(0) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'ConsistentStateFound', now: at(0) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Launched', now: at(1) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Registered', now: at(1) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Initialized', now: at(2) }),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Consolidatable', now: at(2) }),
    );
    expect(
      claim.conditions.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime.slice(-3)}`),
    ).toEqual([
      'Launched 54Z',
      'ConsistentStateFound 54Z',
      'Registered 55Z',
      'Initialized 56Z',
      'Consolidatable 56Z',
      'Ready 56Z',
    ]);
  });

  it('is by type after a condition was removed', () => {
    const claim = after(
      object(),
      (o) => nodeClaimConditionSet.setTrue(o, { type: 'Drifted', now: at(1) }),
      (o) => nodeClaimConditionSet.clear(o, 'Drifted'),
    );
    expect(types(claim)).toEqual(['Initialized', 'Launched', 'Ready', 'Registered']);
  });

  it('does not change when there was nothing to remove', () => {
    const claim = after(object(), (o) => nodeClaimConditionSet.initialise(o));
    expect(nodeClaimConditionSet.clear(claim, 'Drifted')).toEqual(claim.conditions);
  });
});

describe('reading conditions', () => {
  it('distinguishes True for the current generation from an earlier one', () => {
    const pool = after(object(), (o) =>
      nodePoolConditionSet.setTrue(o, { type: 'NodeClassReady', now: at(1) }),
    );
    expect(isConditionTrue(pool, 'NodeClassReady')).toBe(true);
    expect(isConditionTrueNow(pool, 'NodeClassReady')).toBe(true);
    expect(isConditionTrueNow({ ...pool, generation: 2 }, 'NodeClassReady')).toBe(false);
  });

  it('counts a missing condition as Unknown', () => {
    expect(isConditionUnknown(object(), 'Drained')).toBe(true);
    expect(isConditionFalse(object(), 'Drained')).toBe(false);
    expect(isConditionTrue(object(), 'Drained')).toBe(false);
  });
});
