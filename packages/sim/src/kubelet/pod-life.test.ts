import { durationMs } from '@karpenter/core/values';
import type { Pod, PodSpec } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { podStatusAt } from './pod-status.ts';
import { delaysOf, nextChange, podAnnotations, timetable } from './pod-timetable.ts';
import { defaultPodDelays } from './simulated-node.ts';

const start = Date.UTC(2026, 0, 1);
const delays = {
  create: durationMs(2_000),
  init: durationMs(3_000),
  ready: durationMs(1_000),
  run: durationMs(10_000),
  stop: durationMs(1_000),
};

function podOf(spec: Partial<PodSpec> = {}, annotations: Record<string, string> = {}): Pod {
  return {
    metadata: { name: 'p', annotations },
    spec: { containers: [{ name: 'main', image: 'i' }], ...spec },
  };
}

function statusAt(pod: Pod, seconds: number) {
  const now = start + seconds * 1000;
  const table = timetable(pod, { admittedAt: start, delays: delaysOf(pod, delays), now });
  return podStatusAt(pod, table, { hostIp: '10.0.0.1', podIp: '100.64.0.1', admittedAt: start }, now);
}

/** The statuses of a pod at every time for which the kubelet schedules a sync. */
function story(pod: Pod, until = 60): readonly string[] {
  const lines: string[] = [];
  for (let now: number | undefined = start; now !== undefined && now <= start + until * 1000; ) {
    const seconds: number = (now - start) / 1000;
    const status = statusAt(pod, seconds);
    const [state] = Object.keys(status.containerStatuses?.[0]?.state ?? {});
    const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status;
    lines.push(
      `${seconds}: ${status.phase} ${state}${ready === 'True' ? ' ready' : ''} ${status.containerStatuses?.[0]?.restartCount}`,
    );
    now = nextChange(timetable(pod, { admittedAt: start, delays: delaysOf(pod, delays), now }), now);
  }
  return lines;
}

describe('the life of a pod', () => {
  it('goes from waiting to running to ready and stays ready', () => {
    expect(story(podOf())).toEqual([
      '0: Pending waiting 0',
      '2: Running running 0',
      '3: Running running ready 0',
    ]);
  });

  it('waits for its init containers, but not for sidecars', () => {
    const initContainers = [{ name: 'sidecar', restartPolicy: 'Always' }, { name: 'one' }, { name: 'two' }];

    expect(story(podOf({ initContainers }))).toEqual([
      '0: Pending waiting 0',
      '2: Pending waiting 0',
      '5: Pending waiting 0',
      '8: Running running 0',
      '9: Running running ready 0',
    ]);
    expect(statusAt(podOf({ initContainers }), 6).initContainerStatuses).toMatchObject([
      { name: 'sidecar', ready: true, state: { running: {} } },
      { name: 'one', state: { terminated: { exitCode: 0 } } },
      { name: 'two', state: { running: { startedAt: '2026-01-01T00:00:05Z' } } },
    ]);
  });

  it('ends by itself with restartPolicy Never', () => {
    expect(story(podOf({ restartPolicy: 'Never' }))).toEqual([
      '0: Pending waiting 0',
      '2: Running running 0',
      '3: Running running ready 0',
      '12: Succeeded terminated 0',
    ]);
    const failing = podOf(
      { restartPolicy: 'Never' },
      { [podAnnotations.exitCode]: '3', [podAnnotations.run]: '1s' },
    );
    expect(story(failing).at(-1)).toBe('3: Failed terminated 0');
  });

  it('restarts with growing backoff if it fails and should restart', () => {
    const crashing = podOf({}, { [podAnnotations.exitCode]: '1', [podAnnotations.run]: '5s' });

    expect(story(crashing, 45)).toEqual([
      '0: Pending waiting 0',
      '2: Running running 0',
      '3: Running running ready 0',
      '7: Running waiting 0',
      '17: Running running 1',
      '18: Running running ready 1',
      '22: Running waiting 1',
      '42: Running running 2',
      '43: Running running ready 2',
    ]);
    expect(statusAt(crashing, 30).containerStatuses?.[0]).toMatchObject({
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
  });

  it('is not ready before its readiness gates are', () => {
    const gated = podOf({ readinessGates: [{ conditionType: 'example.com/lb' }] });
    const open = { ...gated, status: { conditions: [{ type: 'example.com/lb', status: 'True' }] } };
    const ready = (pod: Pod) => statusAt(pod, 10).conditions?.find(({ type }) => type === 'Ready');

    expect(ready(gated)).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
    expect(ready(open)).toMatchObject({ status: 'True' });
  });

  it('takes its delays from its annotations if it has any', () => {
    expect(delaysOf(podOf({}, { [podAnnotations.create]: '1m30s' }), defaultPodDelays)).toEqual({
      ...defaultPodDelays,
      create: 90_000,
    });
  });
});
