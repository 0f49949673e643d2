import { describe, expect, it } from 'vitest';
import { disruptedTaint, isEphemeralTaint, unregisteredTaint } from './taints.ts';

describe('taints', () => {
  it.each([
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule', value: 'true' },
    { key: 'readiness.k8s.io/anything', effect: 'PreferNoSchedule' },
    unregisteredTaint,
  ])('counts $key:$effect as ephemeral', (taint) => {
    expect(isEphemeralTaint(taint)).toBe(true);
  });

  it.each([
    { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
    { key: 'team', effect: 'NoSchedule' },
    disruptedTaint,
  ])('counts $key:$effect as permanent', (taint) => {
    expect(isEphemeralTaint(taint)).toBe(false);
  });
});
