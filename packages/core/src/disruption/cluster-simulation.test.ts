import { describe, expect, it } from 'vitest';
import { failuresText } from './cluster-simulation.ts';

const failures = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ pod: `default/p${index}`, message: 'no room' }));

describe('the message for unschedulable pods', () => {
  it('names each pod', () => {
    expect(failuresText(failures(1))).toBe('Not all pods would schedule, default/p0 => no room ');
    expect(failuresText(failures(4))).not.toContain('other(s)');
  });

  it('names five pods, and from five on adds how many others there are, even 0', () => {
    expect(failuresText(failures(5))).toMatch(/default\/p4 => no room {2}and 0 other\(s\)$/);
    expect(failuresText(failures(7))).toMatch(/default\/p4 => no room {2}and 2 other\(s\)$/);
    expect(failuresText(failures(7))).not.toContain('default/p5');
  });
});
