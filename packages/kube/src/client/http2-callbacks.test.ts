import { VirtualClock } from '@karpenter/testkit/clock';
import { type ExchangeHandler, startHttpServer } from '@karpenter/testkit/http-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { outsideHttp2Callbacks } from './http2-callbacks.ts';
import { NegotiatedTransport } from './negotiated-transport.ts';
import type { Cancellation } from './transport.ts';

async function startServer(handler: ExchangeHandler) {
  const server = await startHttpServer(handler);
  onTestFinished(() => server.close());
  return { server: server.url, ca: server.authority.cert };
}

/** A request that the test cancels. */
function cancellable() {
  const listeners: ((reason: Error) => void)[] = [];
  let reason: Error | undefined;
  const cancellation: Cancellation = {
    get reason() {
      return reason;
    },
    onCancel: (listener) => void listeners.push(listener),
  };
  const cancel = () => {
    reason = new Error('cancelled');
    for (const listener of listeners) listener(reason);
  };
  return { cancellation, cancel };
}

async function openTransport(handler: ExchangeHandler) {
  const transport = new NegotiatedTransport(await startServer(handler), new VirtualClock());
  onTestFinished(() => transport.close());
  const { cancellation, cancel } = cancellable();
  const send = () => transport.send({ method: 'GET', path: '/', headers: {}, cancellation, isLasting: true });
  return { send, cancel };
}

const holdOpen: ExchangeHandler = (exchange) => exchange.start(200);

describe('an action outside of the callbacks of HTTP/2', () => {
  it('runs after everything that awaits the current event', async () => {
    const order: string[] = [];
    const action = outsideHttp2Callbacks(() => void order.push('action'));
    process.nextTick(() => order.push('tick'));
    await Promise.resolve();
    order.push('microtask');
    await action;
    expect(order).toEqual(['microtask', 'tick', 'action']);
  });
});

describe('a response over HTTP/2', () => {
  it('is discarded after the event in which its reader leaves it', async () => {
    const { send } = await openTransport(holdOpen);
    const { body, discard } = await send();
    discard();
    expect(body.destroyed).toBe(false);
    await outsideHttp2Callbacks(() => undefined);
    expect(body.destroyed).toBe(true);
  });

  it('is destroyed after the event that cancels its request', async () => {
    const { send, cancel } = await openTransport(holdOpen);
    const { body } = await send();
    cancel();
    expect(body.destroyed).toBe(false);
    await outsideHttp2Callbacks(() => undefined);
    expect(body.errored).toMatchObject({ message: 'cancelled' });
  });

  it('is never asked for when the request is cancelled while it waits for a connection', async () => {
    let received = 0;
    const { send, cancel } = await openTransport(() => {
      received += 1;
    });
    const sent = send();
    cancel();
    await expect(sent).rejects.toThrow('cancelled');
    expect(received).toBe(0);
  });
});
