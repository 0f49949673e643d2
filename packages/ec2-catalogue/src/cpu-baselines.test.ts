import { describe, expect, it } from 'vitest';
import { cpuBaseline } from './cpu-baselines.ts';

describe('the CPU baseline', () => {
  it.each([
    ['t3.nano', 0.05],
    ['t3a.small', 0.2],
    ['t4g.large', 0.3],
    ['t4g.2xlarge', 0.4],
    ['t2.xlarge', 0.225],
  ])('of %s is %s of each vCPU', (name, baseline) => {
    expect(cpuBaseline(name)).toBe(baseline);
  });

  it('of a generation or size that is not listed is that of the last one', () => {
    expect(cpuBaseline('t8i.large')).toBe(0.3);
    expect(cpuBaseline('t8i.4xlarge')).toBe(0.4);
  });

  it.each(['m7i.large', 'trn1.2xlarge', 'c7i-flex.large', 'mac-t.large'])('does not exist for %s', (name) => {
    expect(cpuBaseline(name)).toBeUndefined();
  });
});
