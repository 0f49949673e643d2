import { minutes } from '@karpenter/core/api';
import { recordedCall } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import type { ZonalShift } from '../ports/index.ts';
import { ZonalShifts } from './zonal-shifts.ts';

function setUp({ isEnabled = true, arn = 'arn:cluster' }: { isEnabled?: boolean; arn?: string } = {}) {
  const clock = new VirtualClock();
  const shifts: ZonalShift[] = [];
  const describeCluster = recordedCall(() => ({ cluster: arn === '' ? {} : { arn } }));
  const getManagedResource = recordedCall((_: { readonly resourceIdentifier: string }) => ({
    zonalShifts: [...shifts],
  }));
  const services = { eks: { describeCluster }, zonalShift: { getManagedResource } };
  const made = new ZonalShifts({ services, clusterName: 'prod', isEnabled, clock });
  const shift = (awayFrom: string, lasts: number, appliedStatus: ZonalShift['appliedStatus'] = 'APPLIED') =>
    shifts.push({ awayFrom, appliedStatus, expiryTime: new Date(clock.now() + lasts) });
  return { clock, made, shifts, shift, asked: getManagedResource.inputs, clusters: describeCluster.inputs };
}

describe('zonal shifts', () => {
  it('are the applied ones of the cluster ARN, which is requested once', async () => {
    const { made, shift, asked, clusters } = setUp();
    shift('az1', minutes(10));
    shift('az2', minutes(10), 'NOT_APPLIED');
    expect([...(await made.refresh())]).toEqual(['az1']);
    await made.refresh();
    expect(asked).toEqual(Array.from({ length: 2 }, () => ({ resourceIdentifier: 'arn:cluster' })));
    expect(clusters).toHaveLength(1);
    expect([made.has('az1'), made.has('az2')]).toEqual([true, false]);
  });

  it('end at their expiry time without a refresh, and others stay', async () => {
    const { clock, made, shift } = setUp();
    shift('az1', minutes(10));
    shift('az2', minutes(20));
    await made.refresh();
    const { version } = made;
    await clock.advance(minutes(10));
    expect(made.has('az1')).toBe(false);
    expect([...made.zoneIds]).toEqual(['az2']);
    expect(made.version).not.toBe(version);
  });

  it('end when AWS no longer lists them, while others last', async () => {
    const { made, shift, shifts } = setUp();
    shift('az1', minutes(10));
    shift('az2', minutes(20));
    await made.refresh();
    const before = made.version;
    shifts.shift();
    expect([...(await made.refresh())]).toEqual(['az2']);
    expect(made.version).not.toBe(before);
    const after = made.version;
    await made.refresh();
    expect(made.version).toBe(after);
  });

  it('are not requested when the setting is off', async () => {
    const { made, shift, asked } = setUp({ isEnabled: false });
    shift('az1', minutes(10));
    expect([...(await made.refresh())]).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('fail for a cluster without an ARN', async () => {
    await expect(setUp({ arn: '' }).made.refresh()).rejects.toThrow('does not tell the ARN of cluster prod');
  });
});
