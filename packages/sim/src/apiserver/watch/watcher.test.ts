import { EventEmitter } from 'node:events';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import type { Outgoing } from '../http/reply.ts';
import { builtInKinds } from '../kinds/built-in-kinds.ts';
import { selectionOf } from '../selection/index.ts';
import { Entry } from '../store/index.ts';
import { Watcher } from './watcher.ts';

/** A response whose client reads only when the test says so. */
class UnreadResponse extends EventEmitter {
  readonly written: string[] = [];
  hasEnded = false;

  write(text: string): boolean {
    this.written.push(text);
    return false;
  }

  end(): void {
    this.hasEnded = true;
  }
}

function watching(fieldSelector: string | null = null) {
  const kind = builtInKinds().find((each) => each.kind === 'Event' && each.group === '');
  if (kind === undefined) throw new Error('no kind Event');
  const clock = new VirtualClock();
  const response = new UnreadResponse();
  const watcher = new Watcher({
    response: response as unknown as Outgoing,
    presentation: { kind, view: 'object', includeObject: 'None', nowMs: clock.now() },
    selection: selectionOf(kind, { namespace: '', name: '', labelSelector: null, fieldSelector }),
    revision: 0,
    clock,
  });
  const push = (count: number) => watcher.push(entries(count).map((entry) => ({ type: 'ADDED', entry })));
  return { response, watcher, push };
}

/** Half of them have the reason that `fieldSelector` may ask for. */
function entries(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const metadata = { namespace: 'default', name: `event-${index}` };
    return new Entry('events', { metadata, reason: index % 2 === 0 ? 'Pulled' : 'Started' }, index + 1);
  });
}

/** Lets the watcher do all that it does without its client. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

const lines = ({ written }: UnreadResponse) => written.join('').split('\n').length - 1;

/** Lines sent before each of so many times that the client reads everything. */
async function sentBeforeReads(response: UnreadResponse, reads: number): Promise<readonly number[]> {
  const sent: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    await settle();
    sent.push(lines(response));
    response.emit('drain');
  }
  return sent;
}

describe('a watch', () => {
  it('encodes more events only when the client has read the ones before', async () => {
    const { response, push } = watching();
    push(1_200);
    expect(await sentBeforeReads(response, 4)).toEqual([500, 1_000, 1_200, 1_200]);
  });

  it('begins with the objects that it selects, and sends later events after them', async () => {
    const { response, watcher, push } = watching('reason=Pulled');
    watcher.begin(entries(1_200));
    push(1);
    expect(await sentBeforeReads(response, 4)).toEqual([250, 500, 600, 601]);
  });

  it('sends the pending events before it ends', async () => {
    const { response, watcher, push } = watching();
    push(600);
    watcher.close();
    await settle();
    response.emit('drain');
    await settle();
    expect(response.hasEnded).toBe(false);
    response.emit('drain');
    await settle();
    expect([lines(response), response.hasEnded]).toEqual([600, true]);
  });

  it.each([
    ['while it waits for it', (): Promise<void> => settle()],
    ['before it has sent anything', async (): Promise<void> => undefined],
  ])('ends when the client disconnects %s', async (_, before) => {
    const { response, push } = watching();
    push(1_200);
    await before();
    const { length } = response.written;
    response.emit('close');
    await settle();
    expect([response.written.length, response.hasEnded]).toEqual([length, true]);
  });
});
