import { describe, expect, it } from 'vitest';
import type { Command } from '../disruption/index.ts';
import { waitingRecord } from './replay-record.ts';

const command: Command = {
  reason: 'Underutilized',
  consolidationType: 'single',
  candidates: [],
  replacements: [{ nodePool: 'default', isStatic: true }],
  destinations: [{ node: 'a', pods: [] }],
  savings: 0.2,
};

describe('the record of a waiting command', () => {
  it('says since when it waits and is held, and which nodes it avoids, so that a replay waits as long', () => {
    const waiting = { command: { ...command, avoided: ['b'] }, since: 1, heldSince: 2 };
    expect(waitingRecord(waiting)).toEqual({
      since: 1,
      heldSince: 2,
      command: {
        reason: 'Underutilized',
        consolidationType: 'single',
        savings: 0.2,
        nodes: [],
        replacements: [{ nodePool: 'default', isStatic: true }],
        avoided: ['b'],
      },
    });
  });

  it('has neither for a command that is not held and avoids no node', () => {
    const record = waitingRecord({ command, since: 1 });
    expect(Object.keys(record)).not.toContain('heldSince');
    expect(Object.keys(record.command)).not.toContain('avoided');
  });
});
