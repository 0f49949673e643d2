import { days } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { DiscoveredMemory } from './discovered-memory.ts';

describe('discovered memory', () => {
  it('is the smallest size that nodes of the type and AMIs reported', () => {
    const memory = new DiscoveredMemory(() => 0);
    const report = (text: string, imagesHash = 'a') =>
      memory.report({ instanceType: 'm5.large', imagesHash, memory: text });
    expect(memory.get('m5.large', 'a')).toBeUndefined();
    report('7900000Ki');
    report('7800000Ki');
    report('7900000Ki');
    report('7000000Ki', 'b');
    expect(memory.get('m5.large', 'a')).toBe('7800000Ki');
    expect(memory.get('m5.large', 'b')).toBe('7000000Ki');
    expect(memory.get('m5.xlarge', 'a')).toBeUndefined();
  });

  it('expires sixty days after the last report', () => {
    let now = 0;
    const memory = new DiscoveredMemory(() => now);
    const report = () => memory.report({ instanceType: 'm5.large', imagesHash: 'a', memory: '7Gi' });
    report();
    now = days(59);
    report();
    now = days(61);
    expect(memory.get('m5.large', 'a')).toBe('7Gi');
    now = days(119);
    expect(memory.get('m5.large', 'a')).toBeUndefined();
  });
});
