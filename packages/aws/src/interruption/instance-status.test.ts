import type { InstanceStatus } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { findingsIn } from './instance-status.ts';

const now = Date.UTC(2026, 0, 1);

function failed(secondsAgo: number): NonNullable<InstanceStatus['InstanceStatus']> {
  const ImpairedSince = new Date(now - secondsAgo * 1000);
  return { Status: 'impaired', Details: [{ Name: 'reachability', Status: 'failed', ImpairedSince }] };
}

function categories(status: InstanceStatus): readonly string[] {
  return findingsIn([{ InstanceId: 'i-1', ...status }], now).map(({ category }) => category);
}

describe('an instance status', () => {
  it('reports a check that has failed for two minutes', () => {
    expect(categories({ InstanceStatus: failed(119) })).toEqual([]);
    expect(categories({ InstanceStatus: failed(120) })).toEqual(['InstanceStatus']);
    expect(categories({ SystemStatus: failed(119) })).toEqual([]);
    expect(categories({ SystemStatus: failed(120) })).toEqual(['SystemStatus']);
  });

  it('ignores checks that did not fail or have no time', () => {
    const old = new Date(now - 1e6);
    expect(categories({ InstanceStatus: { Details: [{ Status: 'passed', ImpairedSince: old }] } })).toEqual(
      [],
    );
    expect(
      categories({ InstanceStatus: { Details: [{ Status: 'initializing', ImpairedSince: old }] } }),
    ).toEqual([]);
    expect(categories({ InstanceStatus: { Status: 'impaired', Details: [{ Status: 'failed' }] } })).toEqual(
      [],
    );
  });

  it('reports an event at once, however far ahead it is scheduled', () => {
    const NotBefore = new Date(now + 14 * 86_400_000);
    expect(categories({ Events: [{ Code: 'instance-retirement', NotBefore }] })).toEqual(['EventStatus']);
  });

  it('ignores EBS checks', () => {
    expect(categories({ AttachedEbsStatus: failed(600) })).toEqual([]);
  });

  it('reports each category once when several requests return the instance', () => {
    const status = {
      InstanceId: 'i-1',
      InstanceStatus: failed(600),
      SystemStatus: failed(600),
      Events: [{ Code: 'system-reboot' as const }, { Code: 'instance-stop' as const }],
    };
    expect(findingsIn([status, status, { InstanceId: 'i-2' }, status], now)).toEqual([
      { instanceId: 'i-1', category: 'InstanceStatus' },
      { instanceId: 'i-1', category: 'SystemStatus' },
      { instanceId: 'i-1', category: 'EventStatus' },
    ]);
  });
});
