import {
  type ClusterParts,
  clusterTime,
  disruptedPool,
  drained,
  managedNode,
  runningPods,
  searchedConsolidations,
  situationOf,
} from '@karpenter/testkit/disruptable-clusters';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anticipate,
  type Command,
  isDue,
  mergeWaiting,
  poolBudgets,
  poolsOf,
  postponedUntilPodsBind,
  sortWaiting,
  type WaitingCommand,
} from '../index.ts';

const names = ['a', 'b', 'c', 'd'];
const managedNodes = names.map((name) => managedNode(name, { pods: runningPods(1, name) }));
const pools = (nodes: string) => [disruptedPool('default', { disruption: { budgets: [{ nodes }] } })];

const delay = 15_000;
/** Found this long before the cluster is checked again. */
const ago = (command: Command, milliseconds: number): WaitingCommand => ({
  command,
  since: clusterTime - milliseconds,
});

const text = ({ candidates }: Command) => candidates.map(({ name }) => name).join('+');

function sorted(commands: readonly WaitingCommand[], now: Partial<ClusterParts>) {
  const { ready, waiting, rejected } = sortWaiting(commands, situationOf(now), () => true);
  return {
    ready: ready.map(text),
    waiting: waiting.map(({ command }) => text(command)),
    rejected: rejected.map(({ command, reason }) => `${text(command)}: ${reason}`),
  };
}

const searched = searchedConsolidations(situationOf({ managedNodes }));

/** A command for each of the nodes, or for several. */
function commandsFor(...groups: readonly (readonly string[])[]): readonly Command[] {
  const all = new Map(searched.eligible.map((candidate) => [candidate.name, candidate]));
  return searched.commands
    .slice(0, 1)
    .flatMap(({ command }) =>
      groups.map((group) => ({ ...command, candidates: group.flatMap((name) => all.get(name) ?? []) })),
    );
}

describe('a waiting command', () => {
  it('is due after 15 seconds', () => {
    expect(isDue({ since: 0 }, delay - 1)).toBe(false);
    expect(isDue({ since: 0 }, delay)).toBe(true);
  });

  it('keeps waiting until it is due, whatever happens to its nodes', () => {
    const early = commandsFor(['a']).map((command) => ago(command, delay - 1));
    expect(sorted(early, { managedNodes: [] })).toEqual({
      ready: [],
      waiting: ['a'],
      rejected: [],
    });
  });

  it('keeps waiting while a budget has no room, in the order found', () => {
    const due = commandsFor(['a'], ['b'], ['c']).map((command) => ago(command, delay));
    expect(sorted(due, { managedNodes, pools: pools('2') })).toEqual({
      ready: ['a', 'b'],
      waiting: ['c'],
      rejected: [],
    });
  });

  it('is overtaken by smaller ones when it needs more of a budget than is left', () => {
    const due = commandsFor(['a', 'b'], ['c']).map((command) => ago(command, delay));
    const facts = [{ type: 'markedForDeletion' as const, nodes: ['cloud://d'] }];
    expect(sorted(due, { managedNodes, pools: pools('2'), facts })).toMatchObject({
      ready: ['c'],
      waiting: ['a+b'],
    });
  });

  it('is rejected when a budget can never have room for it', () => {
    const due = commandsFor(['a', 'b'], ['c']).map((command) => ago(command, delay));
    expect(sorted(due, { managedNodes, pools: pools('1') })).toMatchObject({
      ready: ['c'],
      rejected: ['a+b: budget'],
    });
  });

  const nominatedB = { type: 'nominated' as const, nodes: ['cloud://b'], until: Number.MAX_SAFE_INTEGER };

  it('is rejected when due and its node is gone, whatever budgets allow', () => {
    const due = commandsFor(['a']).map((command) => ago(command, delay));
    expect(sorted(due, { managedNodes: managedNodes.slice(1), pools: pools('1') }).rejected).toEqual([
      'a: churn',
    ]);
  });

  it('waits for pods that its node expects, but not for long', () => {
    const due = commandsFor(['b']).map((command) => ago(command, delay));
    const now = { managedNodes, facts: [nominatedB] };
    const held = (milliseconds: number) =>
      due.map((waiting) => ({ ...waiting, heldSince: clusterTime - milliseconds }));
    expect(sorted(due, now).waiting).toEqual(['b']);
    expect(sorted(held(24_999), now).waiting).toEqual(['b']);
    expect(sorted(held(25_000), now).rejected).toEqual(['b: budget']);
  });

  it('keeps its place while its node expects pods and a budget has no room', () => {
    const due = commandsFor(['a'], ['b']).map((command) => ({ ...ago(command, delay), heldSince: 0 }));
    expect(sorted(due, { managedNodes, pools: pools('1'), facts: [nominatedB] })).toEqual({
      ready: ['a'],
      waiting: ['b'],
      rejected: [],
    });
  });

  const starting = [...managedNodes, managedNode('starting', { isInitialized: false })];

  it('waits on after a failed validation while pods wait for nodes, but not for long', () => {
    const before = commandsFor(['a'], ['b']).map((command) => ago(command, delay));
    const held = (
      now: Partial<ClusterParts>,
      reason: 'scheduling' | 'churn' = 'scheduling',
      since?: number,
    ) =>
      postponedUntilPodsBind({
        before: before.map((each) => (since === undefined ? each : { ...each, heldSince: since })),
        rejected: before.slice(0, 1).map(({ command }) => ({ command, reason })),
        snapshot: situationOf(now).snapshot,
      }).map(({ command, heldSince }) => [text(command), heldSince]);
    expect(held({ managedNodes: starting })).toEqual([['a', clusterTime]]);
    expect(held({ managedNodes })).toEqual([]);
    expect(held({ managedNodes: starting }, 'churn')).toEqual([]);
    expect(held({ managedNodes: starting }, 'scheduling', clusterTime - 25_000)).toEqual([]);
  });

  it('is validated again when no pod waits for a node any more', () => {
    const due = commandsFor(['a']).map((command) => ({ ...ago(command, delay), awaitsNodes: true }));
    expect(sorted(due, { managedNodes: starting }).waiting).toEqual(['a']);
    expect(sorted(due, { managedNodes }).ready).toEqual(['a']);
  });

  it('is rejected at once when it deletes empty nodes and one of them expects pods', () => {
    const due = commandsFor(['b']).map((command) => ago({ ...command, reason: 'Empty' }, delay));
    expect(sorted(due, { managedNodes, facts: [nominatedB] }).rejected).toEqual(['b: budget']);
  });

  it('leaves the room in a budget to one that saves more than twice as much, but not for long', () => {
    const [small, large] = commandsFor(['a'], ['b']);
    if (small === undefined || large === undefined) throw new Error('two commands expected');
    const later = ago({ ...large, savings: 3 * small.savings }, 5_000);
    const now = { managedNodes, pools: pools('1') };
    expect(sorted([ago(small, delay), later], now).waiting).toEqual(['a', 'b']);
    expect(sorted([{ ...ago(small, delay), heldSince: clusterTime - 25_000 }, later], now).ready).toEqual([
      'a',
    ]);
    expect(sorted([ago(small, delay), ago(large, 5_000)], now).ready).toEqual(['a']);
    expect(sorted([ago(small, delay), later], { managedNodes, pools: pools('2') }).ready).toEqual(['a']);
    const started = { ...later, since: clusterTime - delay };
    expect(sorted([started, ago(small, delay)], { managedNodes, pools: pools('2') }).ready).toEqual([
      'b',
      'a',
    ]);
  });
});

describe('waiting commands after another search', () => {
  const mergedWith = (found: readonly Command[], searchedNames: readonly string[]) =>
    mergeWaiting({
      before,
      found,
      searched: searched.eligible.filter(({ name }) => searchedNames.includes(name)),
      at: clusterTime,
    });
  const merged = (...search: Parameters<typeof mergedWith>) =>
    mergedWith(...search).waiting.map(
      ({ command, since }) => `${text(command)} since ${clusterTime - since}`,
    );
  const before = commandsFor(['a'], ['b']).map((command) => ago(command, 9_000));

  it('have waited since they were first found', () => {
    expect(merged(commandsFor(['c'], ['a'], ['b']), names)).toEqual([
      'c since 0',
      'a since 9000',
      'b since 9000',
    ]);
  });

  it('have waited since then although other nodes replace theirs now', () => {
    const [a] = commandsFor(['a']);
    const replaced = { ...a, replacements: [{ nodePool: 'default', isStatic: true }] } as Command;
    expect(merged([replaced], names)).toEqual(['a since 9000']);
    expect(mergedWith([replaced], names).waiting.map(({ command }) => command)).toEqual([replaced]);
  });

  it('are dropped when the search prefers others', () => {
    expect(merged(commandsFor(['a', 'b']), names)).toEqual(['a+b since 0']);
    expect(merged([], names)).toEqual([]);
  });

  it('are reported as dropped unless their nodes are in others', () => {
    expect(mergedWith(commandsFor(['a', 'c']), names).dropped.map(text)).toEqual(['b']);
    expect(mergedWith(commandsFor(['a', 'b']), names).dropped).toEqual([]);
  });

  it('stay when the search could not consider their nodes', () => {
    expect(merged(commandsFor(['c']), ['a', 'c', 'd'])).toEqual(['b since 9000', 'c since 0']);
  });
});

describe('every waiting command', () => {
  const groups = fc.shuffledSubarray(names, { minLength: 1 }).chain((order) =>
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 }).map((sizes) =>
      sizes
        .reduce<{ groups: string[][]; rest: string[] }>(
          (made, size) => ({
            groups: [...made.groups, made.rest.slice(0, size)],
            rest: made.rest.slice(size),
          }),
          { groups: [], rest: order },
        )
        .groups.filter((group) => group.length > 0),
    ),
  );

  it('is ready, waiting or rejected, and the ready ones never exceed a budget', () => {
    const given = fc.record({
      groups,
      nodes: fc.constantFrom('0', '1', '2', '50%', '100%'),
      ages: fc.array(fc.constantFrom(0, delay - 1, delay, 2 * delay), { minLength: 4, maxLength: 4 }),
      marked: fc.subarray(names),
    });
    fc.assert(
      fc.property(given, ({ groups: found, nodes, ages, marked }) => {
        const commands = commandsFor(...found).map((command, index) => ago(command, ages[index] ?? 0));
        const facts = [
          { type: 'markedForDeletion' as const, nodes: marked.map((name) => `cloud://${name}`) },
        ];
        const inputs = situationOf({ managedNodes, pools: pools(nodes), facts });
        const { ready, waiting, rejected } = sortWaiting(commands, inputs, () => true);
        expect(ready.length + waiting.length + rejected.length).toBe(commands.length);
        const remaining = poolBudgets(inputs.snapshot, 'Underutilized').get('default')?.remaining ?? 0;
        expect(ready.flatMap(poolsOf).length).toBeLessThanOrEqual(remaining);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a search while commands wait', () => {
  it('treats them as carried out: their pods need nodes, and theirs are gone', () => {
    const crowded = [
      managedNode('a', { pods: runningPods(4, 'a') }),
      managedNode('b', { pods: runningPods(5, 'b') }),
      managedNode('c', { pods: runningPods(7, 'c') }),
    ];
    const { simulate, ...inputs } = situationOf({ managedNodes: crowded });
    const found = searchedConsolidations({ ...inputs, simulate });
    const first = found.commands.slice(0, 1).map(({ command }) => command);
    const going = first.flatMap(({ candidates }) => candidates.map(({ name }) => name));
    const others = found.eligible.filter(({ name }) => !going.includes(name));
    const without = (decided: readonly Command[]) => {
      const simulation = drained(simulate());
      drained(anticipate(decided, simulation));
      return drained(simulation.without(others.slice(0, 1))).plan.newNodes.length;
    };
    expect(going).toHaveLength(1);
    expect(without([])).toBe(0);
    expect(without(first)).toBe(1);
  });

  it('skips a command that would fail now', () => {
    const full = [
      managedNode('a', { pods: runningPods(8, 'a') }),
      managedNode('b', { pods: runningPods(8, 'b') }),
    ];
    const { simulate, ...inputs } = situationOf({ managedNodes: full });
    const { eligible } = searchedConsolidations({ ...inputs, simulate });
    const wrong = commandsFor(['a']).map((command) => ({ ...command, candidates: eligible.slice(0, 1) }));
    const simulation = drained(simulate());
    drained(anticipate(wrong, simulation));
    expect(wrong).toHaveLength(1);
    expect(drained(simulation.without(eligible.slice(1))).plan.newNodes).toHaveLength(1);
    expect(eligible.some((candidate) => simulation.hasReceived(candidate))).toBe(false);
  });
});
