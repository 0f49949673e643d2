import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Decision } from '@karpenter/core/decisions';
import { VirtualClock } from '@karpenter/testkit/clock';
import { sampleNode } from '@karpenter/testkit/node-rows';
import { afterEach, describe, expect, it } from 'vitest';
import type { KarpenterEvent } from '../../cluster-view/index.ts';
import { DecisionList } from './decision-list.ts';
import { eventDecision } from './event-decision.ts';
import { polledDecisions } from './polled-decisions.ts';

const event = (kind: string, reason: string, message = 'why'): KarpenterEvent => ({
  metadata: { name: 'e', namespace: 'default', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  involvedObject: { kind, namespace: 'default', name: 'x' },
  reason,
  message,
});
const row = sampleNode('ip-1', { nodeClaim: 'x', pods: ['1', '2'] });
const decided = (...args: Parameters<typeof event>) => eventDecision(event(...args), () => row);

describe('an event of Karpenter', () => {
  it('of a launched NodeClaim is a launch, with the instance as far as it is known', () => {
    const message =
      'Status condition transitioned, Type: Launched, Status: Unknown -> True, Reason: Launched';
    expect(decided('NodeClaim', 'Launched', message)).toMatchObject({
      kind: 'launch',
      nodeClaim: 'x',
      instanceType: 'm5.xlarge',
      zone: 'us-west-2a',
      capacityType: 'on-demand',
      hourly: 0.192,
      at: Date.UTC(2026, 0, 1),
      summary: 'launched x: m5.xlarge on-demand us-west-2a',
    });
    expect(decided('NodeClaim', 'Launched', message.replace('True', 'False'))).toBeUndefined();
    expect(decided('NodeClaim', 'InsufficientCapacityError')).toMatchObject({
      kind: 'launch',
      failure: 'why',
    });
  });

  it.each(['Disrupting NodeClaim: Underutilized', 'Disrupting NodeClaim: Underutilized/Delete'])(
    'of a terminating NodeClaim is a disruption (%s)',
    (message) => {
      expect(decided('NodeClaim', 'DisruptionTerminating', message)).toMatchObject({
        kind: 'disruption',
        reason: 'underutilized',
        nodes: [{ node: 'ip-1', nodeClaim: 'x', pods: 2 }],
        movedPods: 2,
      });
    },
  );

  it('counts once where Karpenter publishes it on the Node and on the NodeClaim', () => {
    for (const reason of [
      'DisruptionTerminating',
      'Unconsolidatable',
      'DisruptionBlocked',
      'SpotInterrupted',
    ])
      expect(['Node', 'NodeClaim'].filter((kind) => decided(kind, reason) !== undefined)).toHaveLength(1);
  });

  it('of a pod, NodePool or interruption is a refusal or a notice', () => {
    expect(decided('Pod', 'FailedScheduling')).toMatchObject({
      kind: 'refusal',
      object: { kind: 'Pod', namespace: 'default', name: 'x' },
      summary: 'Pod default/x: why',
    });
    expect(decided('NodePool', 'DisruptionBlocked')).toMatchObject({
      object: { kind: 'NodePool', name: 'x' },
    });
    expect(decided('NodeClaim', 'SpotInterrupted')).toMatchObject({
      kind: 'notice',
      reason: 'SpotInterrupted',
    });
  });

  it('about anything else is no decision', () => {
    for (const reason of ['Evicted', 'Nominated', '', 'constructor'])
      expect(decided('Pod', reason)).toBeUndefined();
    expect(decided('EC2NodeClass', 'DisruptionBlocked')).toBeUndefined();
  });

  it('of a NodeClaim whose node is gone is still a decision', () => {
    const gone = eventDecision(
      event('NodeClaim', 'DisruptionTerminating', 'Disrupting: Empty'),
      () => undefined,
    );
    expect(gone).toMatchObject({ reason: 'empty', nodes: [{ nodeClaim: 'x', pods: 0 }] });
  });
});

const decision = (id: string, parts: object = {}) =>
  ({ id, at: 1, kind: 'plan', summary: id, isReplayable: false, ...parts }) as unknown as Decision;

describe('a list of decisions', () => {
  it('is in the order of ids, has each once, and drops the oldest beyond a thousand', () => {
    const list = new DecisionList();
    for (const id of ['b', 'a', 'c', 'b']) list.add(decision(id, { summary: `${id}!` }));
    expect(list.list().map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    for (let index = 0; index < 1_000; index += 1) list.add(decision(`d-${String(index).padStart(4, '0')}`));
    expect([list.list().length, list.list()[0]?.id]).toEqual([1_000, 'd-0000']);
  });
});

describe('decisions of a controller elsewhere', () => {
  let server: Server;
  let ended: AbortController;
  afterEach(() => {
    ended.abort();
    server.close();
  });

  async function polled(answer: (url: string) => unknown) {
    server = createServer((request, response) => {
      const body = answer(request.url ?? '');
      response.statusCode = body === undefined ? 404 : 200;
      response.end(JSON.stringify(body ?? {}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended = new AbortController();
    const clock = new VirtualClock();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { clock, url, source: polledDecisions({ url, clock, signal: ended.signal }) };
  }

  it('are asked for once and then only those that are new', async () => {
    const asked: string[] = [];
    const { source, clock, url } = await polled((path) => {
      asked.push(path);
      return path.includes('since')
        ? [decision('3', { isReplayable: true })]
        : [decision('2'), decision('1'), { id: 5 }];
    });
    await expect.poll(() => source.list().map(({ id }) => id)).toEqual(['1', '2']);
    expect(source.unavailable?.()).toBeUndefined();
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(2_000);
    await expect.poll(() => source.list().map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(asked).toEqual(['/decisions?limit=500', '/decisions?limit=500&since=2']);
    expect(source.list().map((each) => source.replayCommand?.(each))).toEqual([
      undefined,
      undefined,
      `karpenter replay 3 --from ${url.slice(0, -1)}`,
    ]);
    expect(source.replayCommand?.(decision('1; rm -rf /', { isReplayable: true }))).toBeUndefined();
  });

  it('say why there are none', async () => {
    const { source, url } = await polled(() => undefined);
    await expect
      .poll(() => source.unavailable?.())
      .toBe(`cannot read decisions from ${url.slice(0, -1)}: it answered with status 404`);
  });
});
