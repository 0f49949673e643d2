import { describe, expect, it } from 'vitest';
import { failuresText } from './cluster-simulation.ts';

const failures = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ pod: `default/p${index}`, message: 'no room' }));

describe('that pods would find no place', () => {
  it('is told of each pod', () => {
    expect(failuresText(failures(1))).toBe('Not all pods would schedule, default/p0 => no room ');
    expect(failuresText(failures(4))).not.toContain('other(s)');
  });

  it('is told of five pods, and from five on of how many others, even none', () => {
    expect(failuresText(failures(5))).toMatch(/default\/p4 => no room {2}and 0 other\(s\)$/);
    expect(failuresText(failures(7))).toMatch(/default\/p4 => no room {2}and 2 other\(s\)$/);
    expect(failuresText(failures(7))).not.toContain('default/p5');
  });
});
