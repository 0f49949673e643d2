import { claim } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { conditionOf, isUnknown, withConfirmed, withFalse, withTrue, withUnknown } from './claim-status.ts';

const at = Date.UTC(2026, 0, 1, 1);
const older = { ...claim('claim', { created: '2026-01-01T00:00:00Z' }) };
const ofGeneration = (generation: number) => ({
  ...older,
  metadata: { ...older.metadata, generation },
});

describe('a condition that is True or False', () => {
  it('gets the current generation and keeps its transition time', () => {
    const decided = withTrue(ofGeneration(1), 'Launched', at);
    const changed = { ...decided, metadata: { ...decided.metadata, generation: 2 } };
    expect(conditionOf(withConfirmed(changed, 'Launched', at + 60_000), 'Launched')).toEqual({
      type: 'Launched',
      status: 'True',
      reason: 'Launched',
      message: '',
      lastTransitionTime: '2026-01-01T01:00:00Z',
      observedGeneration: 2,
    });
  });

  it('keeps its reason and message when False', () => {
    const words = { reason: 'MultipleNodesFound', message: 'too many' };
    const decided = withFalse(ofGeneration(1), 'Registered', words, at);
    const changed = { ...decided, metadata: { ...decided.metadata, generation: 2 } };
    expect(conditionOf(withConfirmed(changed, 'Registered', at), 'Registered')).toMatchObject({
      status: 'False',
      ...words,
      observedGeneration: 2,
    });
    expect(isUnknown(decided, 'Registered')).toBe(false);
  });
});

it('leaves an Unknown condition as it is', () => {
  const open = withUnknown(ofGeneration(1), 'Launched', { reason: 'LaunchFailed', message: 'why' }, at);
  expect(withConfirmed(open, 'Launched', at)).toBe(open);
  expect(withConfirmed(older, 'Launched', at)).toBe(older);
  expect([isUnknown(open, 'Launched'), isUnknown(older, 'Launched')]).toEqual([true, true]);
});
