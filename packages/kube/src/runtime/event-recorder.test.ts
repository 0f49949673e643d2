import { events } from '@karpenter/core/api';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import type { Kind, KubeObject } from '../client/index.ts';
import { ApiError, ConnectionError, kinds } from '../client/index.ts';
import { type ClusterEvent, CoreEventRecorder } from './event-recorder.ts';

class EventServer {
  readonly created: KubeObject[] = [];
  readonly patched: unknown[] = [];
  failure: Error | undefined;

  async create<T extends KubeObject>(_kind: Kind<T>, event: T): Promise<T> {
    if (this.failure !== undefined) throw this.failure;
    this.created.push(event);
    return event;
  }

  async patch<T extends KubeObject>(_kind: Kind<T>, _key: object, patch: object): Promise<T> {
    if (this.failure !== undefined) throw this.failure;
    this.patched.push(patch);
    return {} as T;
  }
}

function setUp() {
  const clock = new VirtualClock();
  const server = new EventServer();
  const errors: unknown[] = [];
  const recorder = new CoreEventRecorder({ client: server, clock, onError: (error) => errors.push(error) });
  return { clock, server, errors, recorder };
}

function about(index: number, event: Partial<ClusterEvent> = {}): ClusterEvent {
  const object = { metadata: { name: `pod-${index}`, namespace: 'shop', uid: `uid-${index}` } };
  return { definition: events.evicted, kind: kinds.pod, object, message: 'Evicted pod: Drifted', ...event };
}

describe('an event recorder', () => {
  it('writes events in the form that Kubernetes components use', async () => {
    const { server, recorder } = setUp();
    recorder.publish(about(1));
    await recorder.flush();
    expect(server.created).toEqual([
      {
        metadata: { name: expect.stringMatching(/^pod-1\.[0-9a-f]{16}$/), namespace: 'shop' },
        involvedObject: {
          apiVersion: 'v1',
          kind: 'Pod',
          namespace: 'shop',
          name: 'pod-1',
          uid: 'uid-1',
          resourceVersion: '',
        },
        type: 'Normal',
        reason: 'Evicted',
        message: 'Evicted pod: Drifted',
        source: { component: 'karpenter' },
        reportingComponent: 'karpenter',
        reportingInstance: '',
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
      },
    ]);
  });

  it('writes the annotations of its options on every event', async () => {
    const server = new EventServer();
    const annotations = { 'instance-id': 'i-1' };
    const recorder = new CoreEventRecorder({ client: server, clock: new VirtualClock(), annotations });
    recorder.publish(about(1));
    await recorder.flush();
    expect(server.created).toMatchObject([{ metadata: { namespace: 'shop', annotations } }]);
  });

  it('drops repeats for two minutes, then increments the count of the same message', async () => {
    const { clock, server, recorder } = setUp();
    recorder.publish(about(1), about(1, { message: 'other' }), about(2));
    await clock.advance(119_999);
    recorder.publish(about(1));
    await recorder.flush();
    expect(server.created).toHaveLength(2);
    await clock.advance(1);
    recorder.publish(about(1));
    await recorder.flush();
    expect(server.created).toHaveLength(2);
    expect(server.patched).toEqual([
      { type: 'merge', body: { count: 2, lastTimestamp: '2026-01-01T00:02:00Z' } },
    ]);
  });

  it('deduplicates by the window and key of the definition', async () => {
    const { clock, server, recorder } = setUp();
    const definition = events.nodePoolDisruptionBlocked;
    const blocked = (reason: string) =>
      about(1, { definition, message: reason, parts: { 'disruption-reason': reason } });
    recorder.publish(blocked('Empty'), blocked('Drifted'), blocked('Empty'));
    await recorder.flush();
    expect(server.created).toHaveLength(2);
    await clock.advance(60_000);
    recorder.publish(blocked('Empty'));
    await recorder.flush();
    expect(server.patched).toHaveLength(1);
  });

  it('publishes a new reason for a blocked node at once, although an earlier one was just published', async () => {
    const { clock, server, recorder } = setUp();
    const blocked = (message: string) => about(1, { definition: events.disruptionBlocked, message });
    recorder.publish(blocked('Node is nominated for a pending pod'));
    await clock.advance(10_000);
    recorder.publish(blocked('Pdb prevents pod evictions (PodDisruptionBudget=[shop/web])'));
    recorder.publish(blocked('Pdb prevents pod evictions (PodDisruptionBudget=[shop/web])'));
    await recorder.flush();
    expect(server.created.map((event) => 'message' in event && event.message)).toEqual([
      'Node is nominated for a pending pod',
      'Pdb prevents pod evictions (PodDisruptionBudget=[shop/web])',
    ]);
  });

  it('limits the rate of all events of a reason', async () => {
    const { clock, server, recorder } = setUp();
    const nominate = (from: number, to: number) => {
      for (let index = from; index < to; index += 1)
        recorder.publish(about(index, { definition: events.nominated }));
    };
    nominate(0, 20);
    await recorder.flush();
    expect(server.created).toHaveLength(10);
    await clock.advance(1000);
    nominate(20, 40);
    await recorder.flush();
    expect(server.created).toHaveLength(15);
  });

  it('limits the rate of events on one object', async () => {
    const { server, recorder } = setUp();
    const definition = events.failedConsistencyCheck;
    for (let index = 0; index < 40; index += 1)
      recorder.publish(about(1, { definition, message: `m${index}` }));
    await recorder.flush();
    expect(server.created).toHaveLength(25);
  });

  it('creates a new event when the one to increment is gone', async () => {
    const { clock, server, recorder } = setUp();
    recorder.publish(about(1));
    await recorder.flush();
    await clock.advance(120_000);
    server.patch = () =>
      Promise.reject(new ApiError('patch', { code: 404, reason: 'NotFound', message: '', causes: [] }));
    recorder.publish(about(1));
    await recorder.flush();
    expect(server.created).toHaveLength(2);
  });

  it('retries on connection errors and gives up on refused events', async () => {
    const { clock, server, errors, recorder } = setUp();
    server.failure = new ConnectionError('create events', 'unreachable');
    recorder.publish(about(1));
    await clock.advance(15_000);
    server.failure = undefined;
    await clock.advance(15_000);
    await recorder.flush();
    expect(server.created).toHaveLength(1);
    expect(errors).toEqual([]);
    server.failure = new ApiError('create', { code: 403, reason: 'Forbidden', message: 'no', causes: [] });
    recorder.publish(about(2));
    await recorder.flush();
    expect(errors).toEqual([server.failure]);
  });

  it('drops events beyond a thousand pending ones', async () => {
    const { server, recorder } = setUp();
    for (let index = 0; index < 1500; index += 1) recorder.publish(about(index));
    await recorder.flush();
    expect(server.created).toHaveLength(1000);
  });
});
