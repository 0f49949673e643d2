import { hours, seconds } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { LaunchAttempts } from './launch-attempts.ts';

const instance: CloudInstance = {
  providerId: 'cloud://1',
  imageId: '',
  labels: {},
  annotations: {},
  capacity: {},
  allocatable: {},
  createdAt: 0,
  isDeleting: false,
};

let clock: VirtualClock;
let attempts: LaunchAttempts;

beforeEach(() => {
  clock = new VirtualClock();
  attempts = new LaunchAttempts(clock);
});

describe('a launch', () => {
  it('is remembered for an hour', async () => {
    attempts.set('uid', { state: 'launched', instance });
    await clock.advance(hours(1) - 1);
    expect(attempts.get('uid')).toEqual({ state: 'launched', instance });
    await clock.advance(1);
    expect(attempts.get('uid')).toBeUndefined();
  });

  it('is not mixed up with that of another claim', () => {
    attempts.set('uid', { state: 'launched', instance });
    expect(attempts.get('other')).toBeUndefined();
  });
});

it('lets the next try wait twice as long each time, up to a minute', async () => {
  const waits: number[] = [];
  for (let tries = 0; tries < 9; tries += 1) {
    const attempt = attempts.fail('uid');
    if (attempt.state !== 'failed') continue;
    const wait = attempt.retryAt - clock.now();
    waits.push(wait / seconds(1));
    await clock.advance(wait);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});
