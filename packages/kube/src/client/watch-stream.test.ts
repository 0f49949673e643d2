import { Readable } from 'node:stream';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { expect, it } from 'vitest';
import { TokenBucket } from '../runtime/index.ts';
import { RequestSender } from './request-sender.ts';
import { watchEvents } from './watch-stream.ts';

const line = (name: string) => `${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`;

/** A watch whose events have all arrived, over a transport that counts how often a response was discarded. */
function openWatch(signal?: AbortSignal) {
  const body = Readable.from([Buffer.from(line('a') + line('b')), Buffer.from(line('c'))]);
  const seen = { discarded: 0 };
  const clock = new VirtualClock();
  const discard = () => {
    seen.discarded += 1;
  };
  const sender = new RequestSender({
    config: { server: 'https://api.example:6443' },
    transport: {
      send: async () => ({ status: 200, header: () => undefined, body, discard }),
      close: async () => {},
    },
    clock,
    limiter: new TokenBucket({ perSecond: 1, burst: 1 }, clock),
    userAgent: 'test',
    requestTimeout: durationMs(1000),
  });
  const call = { action: 'watch nodes', method: 'GET', path: '/api/v1/nodes', isLasting: true, signal };
  return { events: watchEvents(sender, call, durationMs(1000)), body, seen };
}

it('leaves it to the transport to end the response of a watch whose reader leaves', async () => {
  const { events, body, seen } = openWatch();
  for await (const event of events) {
    expect(event).toMatchObject({ object: { metadata: { name: 'a' } } });
    break;
  }
  expect(seen.discarded).toBe(1);
  expect(body.destroyed).toBe(false);
});

it('yields no more events of a watch once its signal is aborted, though they have arrived', async () => {
  const abort = new AbortController();
  const { events } = openWatch(abort.signal);
  const names: unknown[] = [];
  for await (const event of events) {
    if (event.type !== 'BOOKMARK') names.push(event.object.metadata?.name);
    abort.abort();
  }
  expect(names).toEqual(['a']);
});
