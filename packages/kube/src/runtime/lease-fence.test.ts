import { CodedError } from '@karpenter/core/errors';
import { describe, expect, it } from 'vitest';
import { isFenceRefusal, LeaseFence } from './lease-fence.ts';

const lease = { namespace: 'kube-system', name: 'leader' };

function setUp() {
  const time = { now: 0 };
  const fence = new LeaseFence({ monotonic: () => time.now }, lease);
  return { time, fence };
}

describe('the fence of a lease', () => {
  it('lets nothing pass before the lease was held, and can be opened still', () => {
    const { fence } = setUp();
    expect(() => fence.check()).toThrow('this process does not hold the lease kube-system/leader');
    fence.extend(10);
    expect(() => fence.check()).not.toThrow();
  });

  it('lets nothing pass from the deadline on', () => {
    const { time, fence } = setUp();
    fence.extend(10);
    time.now = 9.9;
    fence.check();
    time.now = 10;
    expect(() => fence.check()).toThrow('lost the lease kube-system/leader');
  });

  it('stays closed once it has refused, whatever comes in late', () => {
    const { time, fence } = setUp();
    fence.extend(10);
    time.now = 11;
    expect(() => fence.check()).toThrow(CodedError);
    fence.extend(100);
    expect(() => fence.check()).toThrow(CodedError);
    expect(fence.isOpen).toBe(false);
  });

  it('says so when it closes, with the error that writes fail with', () => {
    const { time, fence } = setUp();
    fence.extend(10);
    time.now = 11;
    expect(fence.closed.aborted).toBe(false);
    expect(() => fence.check()).toThrow();
    expect(fence.closed.reason).toMatchObject({ code: 'lease-lost' });
    expect(isFenceRefusal(fence.closed.reason)).toBe(true);
  });
});
