import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { NodePool } from '@karpenter/core/api';
import type { ViewedPod } from '@karpenter/core/cluster-view';
import type { Decision } from '@karpenter/core/decisions';
import type { StreamEvents } from '@karpenter/core/page-api';
import type { ClusterNode } from '@karpenter/core/state';
import { VirtualClock } from '@karpenter/testkit/clock';
import { disruptedPool } from '@karpenter/testkit/disruptable-clusters';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyViewedCluster, type ViewedCluster } from '../../cluster-view/index.ts';
import { PageHub } from './page-hub.ts';

type SentEvent = {
  [Name in keyof StreamEvents]: { readonly name: Name; readonly data: StreamEvents[Name] };
}[keyof StreamEvents];

/** The writable side of a stream, whose reader the test plays. */
class Reader extends EventEmitter {
  text = '';
  isSlow = false;
  isDestroyed = false;

  writeHead(): this {
    return this;
  }

  write(bytes: string | Buffer): boolean {
    this.text += bytes.toString();
    return !this.isSlow;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }

  catchUp(): void {
    this.isSlow = false;
    this.emit('drain');
  }

  /** The events since the last call. */
  take(): readonly SentEvent[] {
    const blocks = this.text.split('\n\n').filter((block) => block.startsWith('id: '));
    this.text = '';
    return blocks.map((block) => {
      const [id, name, data, ...rest] = block.split('\n');
      expect([/^id: \d+$/.test(id ?? ''), rest]).toEqual([true, []]);
      return {
        name: name?.slice('event: '.length),
        data: JSON.parse(data?.slice('data: '.length) ?? ''),
      } as SentEvent;
    });
  }

  rows() {
    return this.take().flatMap((event) => (event.name === 'rows' ? [event.data] : []));
  }
}

const node = (name: string, labels: Readonly<Record<string, string>> = {}): ClusterNode => ({
  metadata: { name, labels },
  spec: { providerID: `aws:///a/${name}` },
});
const pod = (
  name: string,
  nodeName = 'a',
  annotations: Readonly<Record<string, string>> = {},
): ViewedPod => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, annotations },
  spec: { containers: [], nodeName },
});

let clock: VirtualClock;
let cluster: ViewedCluster;
let problems: string[];
let decisions: Decision[];
let notify: (decision: Decision) => void;
let deployments: { name: string; replicas: number }[];
let hub: PageHub;

beforeEach(() => {
  clock = new VirtualClock();
  cluster = emptyViewedCluster(() => undefined);
  problems = [];
  decisions = [];
  deployments = [{ name: 'inflate', replicas: 0 }];
  hub = new PageHub({
    cluster: { ...cluster, problems: () => problems, isSynced: () => true },
    decisions: {
      list: () => decisions,
      subscribe: (listener) => {
        notify = (decision) => {
          decisions.push(decision);
          listener(decision);
        };
        return () => undefined;
      },
    },
    hello: () => ({ cluster: 'test', version: '1', demo: { zones: [], deployments } }),
    clock,
  });
});

function connect(): Reader {
  const reader = added();
  hub.tick();
  return reader;
}

function added(): Reader {
  const reader = new Reader();
  hub.add(reader as unknown as ServerResponse);
  return reader;
}

const apply = (object: ClusterNode) => cluster.view.apply({ type: 'applied', kind: 'Node', object });
const applyPod = (object: ViewedPod) => cluster.view.apply({ type: 'applied', kind: 'Pod', object });
const decision = (id: string): Decision => ({
  id,
  at: 1,
  summary: id,
  isReplayable: false,
  kind: 'notice',
  object: { kind: 'Node', name: 'a' },
  reason: 'r',
  message: 'm',
});

describe('the stream of the page', () => {
  it('begins with hello, all rows, all decisions and the status', () => {
    apply(node('a'));
    applyPod(pod('p'));
    const events = connect().take();
    expect(events.map(({ name }) => name)).toEqual(['hello', 'rows', 'decisions', 'status']);
    expect(events[0]?.data).toMatchObject({ cluster: 'test', now: clock.now(), demo: { deployments } });
    expect(events[1]?.data).toMatchObject({
      isReset: true,
      nodes: { changed: [{ name: 'a' }], removed: [] },
      pods: { changed: [{ name: 'p', nodeName: 'a' }], removed: [] },
    });
    expect(events[3]?.data).toEqual({ now: clock.now(), isSynced: true, problems: [] });
  });

  it('sends every client what changed since, and nothing when nothing has', () => {
    apply(node('a'));
    const first = connect();
    const second = connect();
    first.take();
    second.take();
    apply(node('b'));
    cluster.view.apply({ type: 'deleted', kind: 'Node', object: node('a') });
    hub.tick();
    const delta = [
      expect.objectContaining({
        isReset: false,
        nodes: { changed: [expect.objectContaining({ name: 'b' })], removed: ['aws:///a/a'] },
      }),
    ];
    expect(first.rows()).toEqual(delta);
    expect(second.rows()).toEqual(delta);
    hub.tick();
    expect(first.take()).toEqual([]);
  });

  it('sends a change once to a client that connects just then', () => {
    apply(node('a'));
    const reader = connect();
    hub.tick();
    expect(reader.rows()).toHaveLength(1);
  });

  it('lets names with markup and line breaks neither end an event nor begin one', () => {
    const name = '</script><script>alert(1)</script>';
    const label = 'a\n\nevent: hello\ndata: {}\n\n\r\u2028';
    apply(node(name, { label }));
    const reader = connect();
    expect(reader.text).not.toContain('\nevent: hello\ndata: {}\n');
    const [rows] = reader.rows();
    expect(rows?.nodes.changed).toMatchObject([{ name, labels: { label } }]);
  });

  it('says why a node is kept when an event says so, without a change of the node', async () => {
    apply(node('a'));
    const reader = connect();
    reader.take();
    cluster.events.apply({
      metadata: { name: 'e' },
      involvedObject: { kind: 'Node', name: 'a' },
      message: 'no room',
      lastTimestamp: '2026-01-01T00:00:00Z',
    });
    await clock.advance(1_000);
    hub.tick();
    expect(reader.rows()).toMatchObject([{ nodes: { changed: [{ name: 'a', keptReason: 'no room' }] } }]);
    await clock.advance(1_000);
    hub.tick();
    expect(reader.take()).toEqual([]);
  });

  it('sends a NodePool when the window of a budget opens and when it closes', async () => {
    const object: NodePool = disruptedPool('p', {
      disruption: { budgets: [{ nodes: '0', schedule: '0 9 * * *', duration: '1h' }] },
    });
    cluster.view.apply({ type: 'applied', kind: 'NodePool', object });
    const reader = connect();
    expect(reader.rows()).toMatchObject([{ pools: { changed: [{ budgets: [{ isActive: false }] }] } }]);
    await clock.leap(9 * 3_600_000);
    hub.tick();
    expect(reader.rows()).toMatchObject([
      { pools: { changed: [{ budgets: [{ isActive: true, allowed: 0 }] }] } },
    ]);
    hub.tick();
    expect(reader.rows()).toEqual([]);
    await clock.leap(3_600_000);
    hub.tick();
    expect(reader.rows()).toMatchObject([{ pools: { changed: [{ budgets: [{ isActive: false }] }] } }]);
  });

  it('sends the status when it changes and every ten seconds', async () => {
    const reader = connect();
    reader.take();
    problems = ['cannot watch pods'];
    hub.tick();
    expect(reader.take()).toMatchObject([{ name: 'status', data: { problems } }]);
    await clock.leap(9_000);
    hub.tick();
    expect(reader.take()).toEqual([]);
    await clock.leap(1_000);
    hub.tick();
    expect(reader.take()).toMatchObject([{ name: 'status', data: { now: clock.now() } }]);
  });

  it('sends hello again when the facts of the demo change', () => {
    const reader = connect();
    reader.take();
    deployments = [{ name: 'inflate', replicas: 5 }];
    hub.tick();
    expect(reader.take()).toMatchObject([{ name: 'hello', data: { demo: { deployments } } }]);
  });

  it('keeps for a slow reader which rows it missed, and sends each once as it is then', () => {
    apply(node('a'));
    const reader = connect();
    reader.isSlow = true;
    apply(node('b'));
    hub.tick();
    reader.take();
    apply(node('c'));
    hub.tick();
    apply(node('c', { last: 'yes' }));
    cluster.view.apply({ type: 'deleted', kind: 'Node', object: node('a') });
    problems = ['stale'];
    hub.tick();
    expect(reader.take()).toEqual([]);
    reader.catchUp();
    hub.tick();
    const events = reader.take();
    expect(events.map(({ name }) => name)).toEqual(['rows', 'status']);
    expect(events[0]?.data).toMatchObject({
      isReset: false,
      nodes: { changed: [{ name: 'c', labels: { last: 'yes' } }], removed: ['aws:///a/a'] },
    });
  });

  it('sends everything again to a reader that missed too much', () => {
    const reader = connect();
    reader.isSlow = true;
    apply(node('a'));
    hub.tick();
    reader.take();
    for (let index = 0; index < 5_001; index += 1) applyPod(pod(`p-${index}`));
    hub.tick();
    reader.catchUp();
    hub.tick();
    const [rows, ...others] = reader.rows();
    expect([rows?.isReset, rows?.pods.changed.length, others]).toEqual([true, 5_001, []]);
  });

  it('closes the stream of a reader that takes nothing for a minute', async () => {
    const reader = connect();
    reader.isSlow = true;
    apply(node('a'));
    hub.tick();
    await clock.leap(60_001);
    hub.tick();
    expect([reader.isDestroyed, hub.clients]).toEqual([true, 0]);
  });

  it('sends new decisions, all of them to a reader that missed some, and ends all streams when it stops', async () => {
    const ended = new AbortController();
    const running = hub.run(ended.signal);
    const reader = connect();
    reader.take();
    notify(decision('1'));
    await clock.advance(1_000);
    expect(reader.take()).toMatchObject([
      { name: 'decisions', data: { isReset: false, decisions: [{ id: '1' }] } },
    ]);
    reader.isSlow = true;
    notify(decision('2'));
    await clock.advance(100);
    notify(decision('3'));
    await clock.advance(100);
    reader.take();
    reader.catchUp();
    await clock.advance(100);
    expect(reader.take()).toMatchObject([
      { data: { isReset: true, decisions: [{ id: '1' }, { id: '2' }, { id: '3' }] } },
    ]);
    ended.abort();
    await running;
    expect(reader.isDestroyed).toBe(true);
  });

  it('wakes for the first client and serves the others together with the next tick', async () => {
    const ended = new AbortController();
    const running = hub.run(ended.signal);
    const first = added();
    await clock.advance(0);
    expect(first.take()).toHaveLength(4);
    const others = [added(), added()];
    await clock.advance(99);
    expect(others.map(({ text }) => text)).toEqual(['retry: 2000\n\n', 'retry: 2000\n\n']);
    await clock.advance(1);
    const [one, two] = others.map((reader) => reader.text.split('\n\n')[2]);
    expect([one?.includes('"isReset":true'), one]).toEqual([true, two]);
    ended.abort();
    await running;
  });

  it('forgets changes while nobody reads', async () => {
    const ended = new AbortController();
    const running = hub.run(ended.signal);
    for (let round = 0; round < 3; round += 1) {
      cluster.view.apply({ type: 'applied', kind: 'Node', object: node(`n-${round}`) });
      cluster.view.apply({ type: 'deleted', kind: 'Node', object: node(`n-${round}`) });
      await clock.advance(1_000);
    }
    expect(cluster.view.takeChanges().nodes).toEqual({ changed: [], removed: [] });
    ended.abort();
    await running;
  });
});
