import { describe, expect, it } from 'vitest';
import {
  type Decision,
  type DecisionClusters,
  type DecisionDraft,
  DecisionLog,
  decisionKinds,
  isDecisionId,
  RepeatedDecisions,
} from './index.ts';

const noClusters: DecisionClusters = {
  isOn: false,
  keep: () => undefined,
  has: () => false,
  read: async () => undefined,
};

interface LogChoices {
  readonly size?: number;
  readonly length?: number;
  readonly processName?: string;
  readonly clusters?: DecisionClusters;
}

function setUp({ size = 10, processName = 'a', clusters = noClusters, ...rest }: LogChoices = {}) {
  const clock = { time: 1_000 };
  const now = () => clock.time;
  const log = new DecisionLog({ size, processName, clusters, now, ...rest });
  return { clock, now, log };
}

function refusal(name: string, message = 'no'): DecisionDraft {
  const object = { kind: 'Node', name } as const;
  return { kind: 'refusal', summary: `${name}: ${message}`, object, reason: 'DisruptionBlocked', message };
}

function launch(nodeClaim: string): DecisionDraft {
  return { kind: 'launch', summary: nodeClaim, nodeClaim };
}

const summaries = (log: DecisionLog) => log.list().map(({ summary }) => summary);

describe('the log of decisions', () => {
  it('lists the newest first, with the time of each', () => {
    const { log, clock } = setUp();
    log.record(launch('a'));
    clock.time = 2_000;
    log.record(launch('b'));
    expect(log.list()).toEqual([
      { id: expect.any(String), at: 2_000, isReplayable: false, ...launch('b') },
      { id: expect.any(String), at: 1_000, isReplayable: false, ...launch('a') },
    ]);
  });

  it('drops the oldest of the kind that has most, so that refusals do not push out launches', () => {
    const { log } = setUp({ size: 4 });
    log.record(launch('claim'));
    for (let node = 0; node < 100; node += 1) log.record(refusal(`node-${node}`));
    expect(summaries(log)).toEqual(['node-99: no', 'node-98: no', 'node-97: no', 'claim']);
  });

  it('is bounded in length, whatever the number', () => {
    const { log } = setUp({ size: 1_000, length: 10_000 });
    for (let node = 0; node < 100; node += 1) log.record(refusal(`node-${node}`, 'x'.repeat(500)));
    const { length } = JSON.stringify(log.list());
    expect(length).toBeLessThan(10_500);
    expect(length).toBeGreaterThan(8_000);
    expect(log.list()[0]).toMatchObject({ object: { name: 'node-99' } });
  });

  it('drops a decision that alone is too long, and nothing else breaks', () => {
    const { log } = setUp({ length: 300 });
    log.record(refusal('huge', 'x'.repeat(1_000)));
    log.record(launch('a'));
    expect(summaries(log)).toEqual(['a']);
  });

  it('keeps nothing with size 0', () => {
    const { log } = setUp({ size: 0 });
    expect(isDecisionId(log.record(launch('a')))).toBe(true);
    expect([log.isOn, log.keepsClusters, log.list()]).toEqual([false, false, []]);
  });

  it('lists what came after a decision, also if that one was dropped', () => {
    const { log } = setUp({ size: 3 });
    const ids = ['a', 'b', 'c', 'd'].map((name) => log.record(launch(name)));
    expect(log.ids({ since: ids[0] ?? '' })).toEqual([ids[3], ids[2], ids[1]]);
    expect(log.ids({ since: ids[2] ?? '' })).toEqual([ids[3]]);
    expect(log.ids({ since: ids[3] ?? '' })).toEqual([]);
  });

  it('lists one kind, and no more than asked for', () => {
    const { log } = setUp();
    log.record(launch('a'));
    log.record(refusal('n'));
    log.record(launch('b'));
    expect(log.list({ kind: 'launch', limit: 1 }).map(({ summary }) => summary)).toEqual(['b']);
    expect(log.list({ kind: 'plan' })).toEqual([]);
  });

  it('counts repeats on the decision', () => {
    const { log, clock } = setUp();
    const id = log.record(launch('a'));
    clock.time = 5_000;
    expect([log.repeat(id), log.repeat(id), log.repeat('gone')]).toEqual([true, true, false]);
    expect(log.get(id)).toMatchObject({ at: 1_000, repeats: 2, lastAt: 5_000 });
  });

  it('calls listeners with each decision, and again when its repeats have doubled', () => {
    const { log } = setUp();
    const seen: (number | undefined)[] = [];
    const stop = log.watch(({ repeats }) => seen.push(repeats));
    const id = log.record(launch('a'));
    for (let time = 0; time < 9; time += 1) log.repeat(id);
    stop();
    log.record(launch('b'));
    expect(seen).toEqual([undefined, 1, 2, 4, 8]);
  });

  it('says that a decision can be replayed as long as its cluster is kept', () => {
    const kept = new Set<string>();
    const keep = ({ id }: Decision) => void kept.add(id);
    const { log } = setUp({ clusters: { ...noClusters, isOn: true, keep, has: (id) => kept.has(id) } });
    const id = log.record(launch('a'), { captured: {}, record: {} } as never);
    expect(log.get(id)?.isReplayable).toBe(true);
    kept.clear();
    expect(log.get(id)?.isReplayable).toBe(false);
  });

  it('takes the decisions of an earlier process, of which the last line of each counts', () => {
    const earlier = setUp().log;
    const id = earlier.record(launch('a'));
    const once = earlier.list();
    earlier.repeat(id);
    const { log, clock } = setUp({ processName: 'b' });
    log.restore([...once, ...earlier.list()]);
    expect(log.list()).toEqual(earlier.list());
    clock.time = 3_000;
    log.record(launch('b'));
    expect(summaries(log)).toEqual(['b', 'a']);
  });
});

describe('the id of a decision', () => {
  it('sorts by time as text, also within a millisecond and when the clock is set back', () => {
    const { log, clock } = setUp({ size: 100 });
    const ids: string[] = [];
    for (const time of [1_000, 1_000, 999, 1_001, 50, 5_000_000_000_000]) {
      clock.time = time;
      ids.push(log.record(launch('a')));
    }
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(isDecisionId)).toBe(true);
  });

  it('stays unique and sorted for more decisions in a millisecond than the count holds', () => {
    const { log } = setUp({ size: 0 });
    const ids = Array.from({ length: 47_000 }, () => log.record(launch('a')));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.at(-1) ?? '').toBe(ids.toSorted().at(-1));
  });

  it('differs between processes at the same time', () => {
    const [one, other] = ['a', 'b'].map((processName) => setUp({ processName }).log.record(launch('x')));
    expect(one).not.toBe(other);
  });

  it.each(['', '../secret', '000000000-000-', '00000000-000-a', '000000000-000-a/..', 'A00000000-000-a'])(
    'is not %j',
    (text) => {
      expect(isDecisionId(text)).toBe(false);
    },
  );
});

describe('a decision that comes again', () => {
  const minutes = (count: number) => count * 60_000;

  function setUpRepeats(choices: LogChoices = {}) {
    const parts = setUp(choices);
    const repeated = new RepeatedDecisions(parts.log, parts.now);
    const refuse = (name: string, message: string) =>
      repeated.record(`${name} ${message}`, () => refusal(name, message));
    return { ...parts, refuse };
  }

  it('is counted, however often its reason alternates with another', () => {
    const { log, clock, refuse } = setUpRepeats();
    for (let pass = 0; pass < 5; pass += 1) {
      clock.time += 10_000;
      refuse('n', 'pdb');
      refuse('n', 'nominated');
    }
    expect(log.list()).toMatchObject([
      { message: 'nominated', repeats: 4 },
      { message: 'pdb', repeats: 4 },
    ]);
  });

  it('is recorded again after a quarter of an hour without it', () => {
    const { log, clock, refuse } = setUpRepeats();
    refuse('n', 'pdb');
    clock.time += minutes(15);
    refuse('n', 'pdb');
    clock.time += minutes(15) + 1;
    refuse('n', 'pdb');
    expect(log.list().map(({ repeats }) => repeats)).toEqual([undefined, 1]);
  });

  it('is not recorded in every pass because there are more nodes than the log holds', () => {
    const { log, refuse } = setUpRepeats({ size: 3 });
    const nodes = ['a', 'b', 'c', 'd', 'e'];
    for (const node of nodes) refuse(node, 'pdb');
    const first = log.ids();
    for (const node of nodes) refuse(node, 'pdb');
    expect(log.ids()).toEqual(first);
  });

  it('is not even described while the log is off', () => {
    const { log, now } = setUp({ size: 0 });
    const repeated = new RepeatedDecisions(log, now);
    repeated.record('a', () => {
      throw new Error('described');
    });
    expect(log.list()).toEqual([]);
  });
});

it('there are five kinds of decisions', () => {
  expect(decisionKinds).toEqual(['plan', 'launch', 'disruption', 'refusal', 'notice']);
});
