import { events } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import { CoreEventRecorder, LeaseFence, lead, systemClock } from '@karpenter/kube/runtime';
import { expect, it, vi } from 'vitest';
import { onEachServer, patience } from './kube-connection.ts';

const fast = {
  leaseDuration: durationMs(3000),
  renewDeadline: durationMs(2000),
  retryPeriod: durationMs(100),
};

onEachServer('leader election on %s', (connectToPlane) => {
  it('has one leader, and another as soon as the first one stops', async () => {
    const { client, namespace } = await connectToPlane();
    const lease = { namespace, name: 'leader' };
    const leaders: string[] = [];
    const candidates = ['a', 'b'].map((identity) => {
      const stop = new AbortController();
      const fence = new LeaseFence(systemClock, lease);
      const options = { client, clock: systemClock, lease, fence, identity, signal: stop.signal, ...fast };
      const ended = lead(options, async (signal) => {
        expect(fence.isOpen).toBe(true);
        leaders.push(identity);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      return { identity, stop, ended };
    });
    await vi.waitFor(() => expect(leaders).toHaveLength(1), patience);
    const first = candidates.find(({ identity }) => identity === leaders[0]);
    const held = await client.get(kinds.lease, lease);
    expect(held.spec).toMatchObject({
      holderIdentity: leaders[0],
      leaseDurationSeconds: 3,
      leaseTransitions: 0,
    });

    first?.stop.abort();
    await first?.ended;
    await vi.waitFor(() => expect(leaders).toHaveLength(2), patience);
    const taken = await client.get(kinds.lease, lease);
    expect(taken.spec).toMatchObject({ holderIdentity: leaders[1], leaseTransitions: 1 });
    for (const { stop, ended } of candidates) {
      stop.abort();
      await ended;
    }
    expect((await client.get(kinds.lease, lease)).spec?.holderIdentity).toBe('');
  });

  it('ends when another process takes the lease', async () => {
    const { client, namespace, signal } = await connectToPlane();
    const lease = { namespace, name: 'leader' };
    const fence = new LeaseFence(systemClock, lease);
    const options = { client, clock: systemClock, lease, fence, identity: 'robbed', signal, ...fast };
    const robbed = lead(options, async (leading) => {
      const patch = { type: 'merge', body: { spec: { holderIdentity: 'robber' } } } as const;
      await client.patch(kinds.lease, lease, patch);
      await new Promise((resolve) => leading.addEventListener('abort', resolve));
    });
    await expect(robbed).rejects.toMatchObject({
      code: 'lease-lost',
      message: `lost the lease ${namespace}/leader: robber holds it; start again`,
    });
  });
});

onEachServer('events on %s', (connectToPlane) => {
  it('are in the namespace of their object', async () => {
    const { client, namespace } = await connectToPlane();
    const recorder = new CoreEventRecorder({
      client,
      clock: systemClock,
      onError: (error) => expect.fail(String(error)),
    });
    const pod = await client.create(kinds.pod, {
      metadata: { name: 'described', namespace },
      spec: { schedulerName: 'nobody', containers: [{ name: 'main', image: 'registry.invalid/main:1' }] },
    });
    const event = {
      definition: events.nominated,
      kind: kinds.pod,
      object: pod,
      message: 'Pod should schedule on: nodeclaim/default-x7k',
    };
    recorder.publish(event, event);
    await recorder.flush();
    const { items } = await client.list(kinds.event, {
      namespace,
      fieldSelector: 'involvedObject.name=described',
    });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      type: 'Normal',
      reason: 'Nominated',
      message: event.message,
      source: { component: 'karpenter' },
      reportingComponent: 'karpenter',
      count: 1,
      involvedObject: { kind: 'Pod', apiVersion: 'v1', namespace, name: 'described', uid: pod.metadata?.uid },
    });
  });

  it('about cluster-scoped objects are in the namespace default', async () => {
    const { client, namespace } = await connectToPlane();
    const name = `node-${namespace}`;
    const node = await client.create(kinds.node, { metadata: { name } });
    const recorder = new CoreEventRecorder({ client, clock: systemClock });
    recorder.publish({
      definition: events.failedDraining,
      kind: kinds.node,
      object: node,
      message: 'Failed',
    });
    await recorder.flush();
    const selection = {
      namespace: 'default',
      fieldSelector: `involvedObject.name=${name},reason=FailedDraining`,
    };
    const { items } = await client.list(kinds.event, selection);
    expect(items.map(({ type }) => type)).toEqual(['Warning']);
    await client.delete(kinds.node, { name });
  });
});
