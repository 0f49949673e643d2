import { events, warningEvent } from '@karpenter/core/api';
import { DecisionLog } from '@karpenter/core/decisions';
import { kinds } from '@karpenter/kube/client';
import type { ClusterEvent } from '@karpenter/kube/runtime';
import { describe, expect, it } from 'vitest';
import { nodeClaims, nodePools } from '../cluster/index.ts';
import { EventDecisions } from './event-decisions.ts';
import { MemoryClusters } from './memory-clusters.ts';

const interrupted = warningEvent('SpotInterrupted', ['NodeClaim', 'Node']);

function setUp() {
  const clock = { now: () => 1_000 };
  const log = new DecisionLog({ size: 100, clusters: new MemoryClusters(0), processName: 'a', ...clock });
  const published: ClusterEvent[] = [];
  const recorder = new EventDecisions({
    recorder: { publish: (...all) => void published.push(...all), flush: async () => undefined },
    decisions: log,
    clock,
    refusals: [events.disruptionBlocked, events.nodePoolDisruptionBlocked, events.nodeRepairBlocked],
    notices: [interrupted],
  });
  return { log, recorder, published };
}

const claim = (nodeName?: string) => ({
  metadata: { name: 'claim', uid: 'u1' },
  status: nodeName === undefined ? {} : { nodeName },
});

describe('events that are decisions', () => {
  it('are recorded once for a Node and its NodeClaim, under the name of the Node', () => {
    const { log, recorder, published } = setUp();
    const event = { definition: events.disruptionBlocked, message: 'Node is nominated' };
    recorder.publish(
      { ...event, kind: kinds.node, object: { metadata: { name: 'node' } } },
      { ...event, kind: nodeClaims, object: claim('node') },
    );
    expect(log.list()).toMatchObject([
      {
        kind: 'refusal',
        summary: 'Node node: Node is nominated',
        object: { kind: 'Node', name: 'node' },
        reason: 'DisruptionBlocked',
        message: 'Node is nominated',
      },
    ]);
    expect(published).toHaveLength(2);
  });

  it('are named by the NodeClaim as long as it has no Node', () => {
    const { log, recorder } = setUp();
    recorder.publish({ definition: interrupted, kind: nodeClaims, object: claim(), message: 'warning' });
    expect(log.list()).toMatchObject([{ kind: 'notice', object: { kind: 'NodeClaim', name: 'claim' } }]);
  });

  it('are counted when they come again, and recorded when the message is another', () => {
    const { log, recorder } = setUp();
    const publish = (message: string) =>
      recorder.publish({
        definition: events.nodePoolDisruptionBlocked,
        kind: nodePools,
        object: { metadata: { name: 'default' } },
        message,
      });
    for (const message of ['Empty', 'Drifted', 'Empty', 'Drifted', 'Empty']) publish(message);
    expect(log.list()).toMatchObject([
      { message: 'Drifted', repeats: 1, object: { kind: 'NodePool', name: 'default' } },
      { message: 'Empty', repeats: 2 },
    ]);
  });

  it('are recorded on a Node whose NodeClaim gets no such event', () => {
    const { log, recorder } = setUp();
    const object = { metadata: { name: 'node' } };
    recorder.publish({ definition: events.nodeRepairBlocked, kind: kinds.node, object, message: 'many' });
    expect(log.list()).toMatchObject([{ object: { kind: 'Node', name: 'node' }, message: 'many' }]);
  });

  it('leave other events alone', () => {
    const { log, recorder, published } = setUp();
    const object = { metadata: { name: 'pod', namespace: 'shop' } };
    recorder.publish({ definition: events.evicted, kind: kinds.pod, object, message: 'Evicted' });
    expect([log.list(), published.length]).toEqual([[], 1]);
  });
});
