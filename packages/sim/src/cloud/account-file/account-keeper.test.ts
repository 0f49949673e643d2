import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { createCloud } from '../cloud.ts';
import { AccountKeeper } from './account-keeper.ts';
import type { SavedAccount } from './saved-account.ts';

/** A disk on which each write waits until the test finishes or fails it. */
class Disk {
  readonly written: SavedAccount[] = [];
  readonly #waiting: { end: () => void; fail: (error: Error) => void }[] = [];

  write(account: SavedAccount): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const end = () => {
        this.written.push(account);
        resolve();
      };
      this.#waiting.push({ end, fail: reject });
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  end(): void {
    this.#waiting.shift()?.end();
  }

  fail(): void {
    this.#waiting.shift()?.fail(new Error('ENOSPC: no space left on device'));
  }
}

function start() {
  const clock = new VirtualClock();
  const disk = new Disk();
  const reports: string[] = [];
  const keeper = new AccountKeeper({
    clock,
    write: (account) => disk.write(account),
    report: (message) => reports.push(message),
  });
  const cloud = createCloud({ clock, seed: 7, clusterName: 'prod', durability: keeper });
  keeper.attach(() => ({ cloud: cloud.save(), boots: { nodes: [], failures: [] } }));
  const { iam, ec2 } = cloud.services;
  const create = (InstanceProfileName: string) =>
    settledOf(iam.createInstanceProfile({ InstanceProfileName }));
  const describeZones = () => settledOf(ec2.describeAvailabilityZones({}));
  return { clock, disk, keeper, cloud, reports, create, describeZones };
}

interface Settled {
  readonly done: Promise<unknown>;
  state: 'waiting' | 'answered' | 'failed';
}

function settledOf(call: Promise<unknown>): Settled {
  const settled: Settled = {
    state: 'waiting',
    done: call.then(
      (value) => {
        settled.state = 'answered';
        return value;
      },
      (error: unknown) => {
        settled.state = 'failed';
        return error;
      },
    ),
  };
  return settled;
}

const profilesIn = (account: SavedAccount | undefined) =>
  account?.cloud.world.instanceProfiles.map(({ name }) => name);

/** Runs what is due and finishes the first save. */
async function begun(started: ReturnType<typeof start>): Promise<void> {
  await started.clock.advance(100);
  started.disk.end();
  await started.clock.advance(0);
}

describe('a call that changes the account', () => {
  it('returns only after a save that includes the change has finished', async () => {
    const started = start();
    const { clock, disk, create } = started;
    await begun(started);
    const call = create('one');
    await clock.advance(0);
    expect([disk.waiting, call.state]).toEqual([1, 'waiting']);
    disk.end();
    await call.done;
    expect(profilesIn(disk.written.at(-1))).toEqual(['one']);
  });

  it('shares the next save with all other calls made during the current one', async () => {
    const started = start();
    const { clock, disk, create } = started;
    await begun(started);
    const first = create('one');
    await clock.advance(0);
    const others = [create('two'), create('three')];
    await clock.advance(0);
    disk.end();
    await first.done;
    await clock.advance(0);
    expect(others.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    disk.end();
    await Promise.all(others.map(({ done }) => done));
    expect(disk.written).toHaveLength(3);
    expect(profilesIn(disk.written.at(-1))).toEqual(['one', 'two', 'three']);
  });

  it('delays calls that could see the change until it is saved', async () => {
    const started = start();
    const { clock, disk, create, describeZones } = started;
    await begun(started);
    const before = describeZones();
    await clock.advance(0);
    expect(before.state).toBe('answered');
    const change = create('one');
    const reading = describeZones();
    await clock.advance(0);
    expect(reading.state).toBe('waiting');
    disk.end();
    await Promise.all([change.done, reading.done]);
  });
});

describe('a full disk', () => {
  it('fails a call with an AWS server error and the cause, after the retries of the SDK', async () => {
    const started = start();
    const { clock, disk, create, reports } = started;
    await begun(started);
    const call = create('one');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await clock.advance(0);
      disk.fail();
      await clock.advance(400);
    }
    expect(await call.done).toMatchObject({
      code: 'InternalError',
      statusCode: 500,
      fault: 'server',
      message: 'The simulated account could not be saved: ENOSPC: no space left on device',
    });
    expect(reports).toEqual([
      'the simulated account cannot be saved: ENOSPC: no space left on device; will retry',
    ]);
  });

  it('is retried without another change until everything is saved', async () => {
    const started = start();
    const { clock, disk, cloud, reports } = started;
    await begun(started);
    cloud.sendMessage('hello');
    await clock.advance(100);
    disk.fail();
    await clock.advance(1_100);
    expect(disk.waiting).toBe(1);
    disk.end();
    await clock.advance(0);
    expect(disk.written.at(-1)?.cloud.world.queues[0]?.messages).toMatchObject([{ body: 'hello' }]);
    expect(reports.at(-1)).toBe('the simulated account is saved again');
    await clock.advance(10_000);
    expect(disk.waiting).toBe(0);
  });
});

describe('a change without a call', () => {
  it('is saved soon, together with other changes', async () => {
    const started = start();
    const { clock, disk, cloud } = started;
    await begun(started);
    for (const body of ['a', 'b', 'c']) cloud.sendMessage(body);
    await clock.advance(60);
    disk.end();
    await clock.advance(1_000);
    expect(disk.written).toHaveLength(2);
    expect(disk.waiting).toBe(0);
  });

  it('is saved when the account is closed right after it', async () => {
    const started = start();
    const { clock, disk, cloud, keeper } = started;
    await begun(started);
    cloud.sendMessage('last');
    const closed = keeper.close();
    await clock.advance(0);
    disk.end();
    await closed;
    expect(disk.written.at(-1)?.cloud.world.queues[0]?.messages).toMatchObject([{ body: 'last' }]);
  });
});
