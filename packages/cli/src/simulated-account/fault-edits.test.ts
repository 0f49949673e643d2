import { noFaults, parseFaults } from '@karpenter/sim/cloud';
import { describe, expect, it } from 'vitest';
import { withFailingBoots, withoutSpot, withSpot } from './fault-edits.ts';

const rule = { types: 'p5.*', zones: '*', capacityTypes: '*', depth: 3 };
const inForce = { capacity: [rule], boots: { ...noFaults.boots, delay: 5_000, jitter: 0 } };

describe('an edit of the faults', () => {
  it('takes spot away before other rules and keeps every other part', () => {
    const text = withoutSpot("deny: ['iam:*']\n", 'us-west-2a', inForce);
    expect(parseFaults(text)).toEqual({
      deny: ['iam:*'],
      capacity: [{ types: '*', zones: 'us-west-2a', capacityTypes: 'spot', depth: 0 }, rule],
    });
    expect(parseFaults(withSpot(text, 'us-west-2a', inForce))).toEqual({ deny: ['iam:*'], capacity: [rule] });
  });

  it('restores the spot capacity of a zone that the faults of the start took away', () => {
    const start =
      parseFaults('capacity: [{zones: us-west-2b, capacityTypes: spot, depth: 0}]').capacity ?? [];
    expect(parseFaults(withSpot('', 'us-west-2b', { ...inForce, capacity: start }))).toEqual({
      capacity: [],
    });
  });

  it('changes only whether boots fail', () => {
    const failing = withFailingBoots('', true, inForce);
    expect(parseFaults(failing)).toEqual({ boots: { ...inForce.boots, failing: 1 } });
    const written = 'boots: {delay: 1m, slow: 0.5, failing: 1}';
    expect(parseFaults(withFailingBoots(written, false, inForce)).boots).toMatchObject({
      delay: 60_000,
      slow: 0.5,
      failing: 0,
    });
  });

  it.each(['[]', 'text', '3', 'a: [', 'a: *b', '['.repeat(100_000)])(
    'leaves a text alone that holds no settings: %s',
    (text) => {
      expect(() => withSpot(text, 'us-west-2a', inForce)).toThrow('run karpenter faults clear first');
    },
  );
});
