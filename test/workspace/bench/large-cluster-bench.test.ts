import { describe, expect, it } from 'vitest';

const moduleOf = (name: string) =>
  import(new URL(`../../../bench/large-cluster/${name}`, import.meta.url).href);

interface Size {
  readonly nodes: number;
  readonly podsPerNode: number;
}

const { largeClusterSettings }: { largeClusterSettings(environment: Record<string, string>): Size } =
  await moduleOf('settings.mjs');
const { NodeRoom } = await moduleOf('node-room.mjs');
const { burstText }: { burstText(names: readonly string[], times: ReadonlyMap<string, object>): string } =
  await moduleOf('report.mjs');

describe('the settings of the bench of a large cluster', () => {
  it('measure 5,000 nodes with 20 pods each by default', () => {
    expect(largeClusterSettings({})).toMatchObject({ nodes: 5000, podsPerNode: 20 });
  });

  it('take numbers of nodes and pods', () => {
    const environment = { KARPENTER_BENCH_NODES: '10000', KARPENTER_BENCH_PODS: '100000' };
    expect(largeClusterSettings(environment)).toMatchObject({ nodes: 10_000, podsPerNode: 10 });
  });

  it.each([
    [{ KARPENTER_BENCH_NODES: '0' }, '--nodes 0: not a positive whole number'],
    [{ KARPENTER_BENCH_NODES: '10', KARPENTER_BENCH_PODS: '15' }, '--pods 15: not 1 to 23 for each of 10'],
    [{ KARPENTER_BENCH_NODES: '10', KARPENTER_BENCH_PODS: '240' }, '--pods 240: not 1 to 23 for each of 10'],
  ])('refuse %o in one sentence', (environment, message) => {
    expect(() => largeClusterSettings(environment as Record<string, string>)).toThrow(message);
  });
});

describe('the scheduler of the bench of a large cluster', () => {
  const large = { cpu: '14', memory: '24Gi' };
  const node = { cpu: '127610m', memory: '240Gi' };

  it('fills a node with as many pods as a plan puts on it', () => {
    const room = new NodeRoom();
    room.addNode('n', node);
    const placed = Array.from({ length: 10 }, (_, index) => room.reserve(`pod-${index}`, large));
    expect(placed).toEqual([...Array.from({ length: 9 }, () => 'n'), undefined]);
  });

  it('uses the room of a pod that is gone again, and none of a node that is gone', () => {
    const room = new NodeRoom();
    room.addNode('n', { cpu: '15', memory: '30Gi' });
    expect(room.reserve('a', large)).toBe('n');
    expect(room.reserve('b', large)).toBeUndefined();
    room.release('a');
    expect(room.reserve('b', large)).toBe('n');
    room.removeNode('n');
    room.release('b');
    expect(room.reserve('c', large)).toBeUndefined();
  });
});

describe('the report about pods that are created together', () => {
  it('says when the first, half and all of them ran', () => {
    const times = new Map([
      ['a', { created: 1_000, running: 5_000 }],
      ['b', { created: 1_100, running: 3_000 }],
    ]);
    expect(burstText(['a', 'b'], times)).toBe(
      '2 of 2 new pods ran: the first after 2.0 s, half after 2.0 s, all after 4.0 s',
    );
  });

  it('counts those that did not run', () => {
    const times = new Map([
      ['a', { created: 1_000 }],
      ['b', { created: 1_100, running: 3_000 }],
    ]);
    expect(burstText(['a', 'b'], times)).toBe(
      '1 of 2 new pods ran: the first after 2.0 s, half after 2.0 s, all after -',
    );
  });
});
