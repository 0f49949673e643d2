import { labelKeys } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type PlannedNode, plan } from '@karpenter/core/scheduling';
import type { ClusterSnapshot } from '@karpenter/core/state';
import {
  consolidationSituation,
  disruptableCluster,
  disruptedPool,
  drained,
  managedNode,
  runningPods,
  searchedConsolidations,
} from '@karpenter/testkit/disruptable-clusters';
import { rounds } from '@karpenter/testkit/rounds';
import { instanceType, planOptions } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anticipate,
  budgetsAhead,
  type Command,
  isPlanned,
  poolBudgets,
  validateConsolidations,
} from './index.ts';

const both = ['on-demand', 'spot'];
const sizes = { small: 2, medium: 4, large: 8 } as const;
const types = Object.entries(sizes).map(([name, cpus]) =>
  instanceType(name, {
    cpu: String(cpus),
    memory: `${cpus * 8}Gi`,
    price: cpus * 0.05 + 0.01,
    spotPrice: cpus * 0.02,
    capacityTypes: both,
  }),
);
const options = { ...planOptions, reservedCapacity: { idLabel: 'reservation', mode: 'fallback' as const } };

const managedNodeParts = fc.record({
  pool: fc.constantFrom('x', 'y'),
  type: fc.constantFrom('small', 'medium', 'large'),
  zone: fc.constantFrom('a', 'b'),
  capacityType: fc.constantFrom(...both),
  isReady: fc.boolean(),
  pods: fc.integer({ min: 0, max: 4 }),
  cpu: fc.constantFrom('200m', '500m', '900m'),
  isZonal: fc.boolean(),
});

const clusters = fc.record({
  managedNodes: fc.array(managedNodeParts, { minLength: 1, maxLength: 10 }),
  budgets: fc.array(fc.constantFrom('1', '2', '30%', '60%', '100%'), { minLength: 2, maxLength: 2 }),
  policy: fc.constantFrom('WhenEmptyOrUnderutilized' as const, 'Balanced' as const),
  allowsSpotToSpot: fc.boolean(),
});

type Given = typeof clusters extends fc.Arbitrary<infer T> ? T : never;

function snapshotOf({ managedNodes, budgets, policy }: Given): ClusterSnapshot {
  return disruptableCluster({
    types,
    pools: ['x', 'y'].map((name, index) =>
      disruptedPool(name, {
        disruption: { consolidationPolicy: policy, budgets: [{ nodes: budgets[index] ?? '1' }] },
      }),
    ),
    managedNodes: managedNodes.map(({ pods, cpu, isZonal, type, zone, ...parts }, index) => {
      const name = `n${index}`;
      const nodeSelector = isZonal ? { nodeSelector: { [labelKeys.zone]: zone } } : {};
      return managedNode(name, {
        ...parts,
        type,
        zone,
        cpu: String(sizes[type as keyof typeof sizes]),
        pods: runningPods(pods, name, { cpu, memory: '100Mi', ...nodeSelector }),
      });
    }),
  });
}

function commandsOf(snapshot: ClusterSnapshot, allowsSpotToSpot: boolean): readonly Command[] {
  const situation = consolidationSituation(snapshot, { allowsSpotToSpot });
  const commands = searchedConsolidations(situation).commands.map(({ command }) => command);
  return drained(validateConsolidations(commands, situation)).valid;
}

/** The commands found while earlier ones wait, together with those. */
function foundBeside(snapshot: ClusterSnapshot, allowsSpotToSpot: boolean) {
  const situation = consolidationSituation(snapshot, { allowsSpotToSpot });
  const ahead = { ...situation, budgets: budgetsAhead(situation.budgets) };
  const [first, ...others] = searchedConsolidations(ahead).commands.map(({ command }) => command);
  if (first === undefined) return { waiting: [], found: [], situation };
  const waiting = [first, ...others.slice(0, others.length / 2)];
  const taken = new Set(waiting.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
  const found = searchedConsolidations({
    ...ahead,
    queued: taken,
    *simulate() {
      const simulation = yield* situation.simulate();
      yield* anticipate(waiting, simulation);
      return simulation;
    },
  });
  return { waiting, found: found.commands.map(({ command }) => command), situation };
}

/** The cluster with all of the commands in progress, planned from scratch. */
function planWithout(snapshot: ClusterSnapshot, commands: readonly Command[]) {
  const gone = new Set(commands.flatMap(({ candidates }) => candidates.map(({ name }) => name)));
  return plan(
    {
      ...snapshot,
      nodes: snapshot.nodes.filter(({ name }) => !gone.has(name)),
      boundPods: snapshot.boundPods.filter(({ nodeName }) => !gone.has(nodeName)),
      pods: snapshot.boundPods.filter(({ nodeName }) => gone.has(nodeName)),
    },
    options,
  );
}

function worstPrice(type: InstanceType, { requirements }: PlannedNode): number {
  const allowed = requirements.find(({ key }) => key === labelKeys.capacityType)?.values ?? both;
  const zones = requirements.find(({ key }) => key === labelKeys.zone)?.values;
  const values = (offering: InstanceType['offerings'][number], key: string) =>
    offering.requirements.find((item) => item.key === key)?.values?.[0] ?? '';
  return Math.max(
    ...type.offerings
      .filter((offering) => allowed.includes(values(offering, labelKeys.capacityType)))
      .filter((offering) => zones?.includes(values(offering, labelKeys.zone)) ?? true)
      .map(({ price }) => price),
  );
}

const check = (property: (snapshot: ClusterSnapshot, commands: readonly Command[]) => void) =>
  fc.assert(
    fc.property(clusters, (given) => {
      const snapshot = snapshotOf(given);
      property(snapshot, commandsOf(snapshot, given.allowsSpotToSpot));
    }),
    { numRuns: rounds({ quick: 20, full: 60 }) },
  );

describe('for any cluster, consolidation', () => {
  it('never exceeds a budget', () => {
    check((snapshot, commands) => {
      const going = commands.flatMap(({ candidates }) => candidates);
      for (const [name, { remaining }] of poolBudgets(snapshot, 'Underutilized')) {
        const own = going.filter(({ nodePool }) => nodePool.metadata.name === name);
        expect(own.length).toBeLessThanOrEqual(remaining);
      }
    });
  });

  it('never removes a node twice, nor one that pods are moved to', () => {
    check((_, commands) => {
      const going = commands.flatMap(({ candidates }) => candidates.map(({ name }) => name));
      const receiving = new Set(commands.flatMap(({ destinations }) => destinations.map(({ node }) => node)));
      expect(new Set(going).size).toBe(going.length);
      expect(going.filter((name) => receiving.has(name))).toEqual([]);
    });
  });

  it('never leaves a pod unschedulable', () => {
    check((snapshot, commands) => {
      expect(planWithout(snapshot, commands).rejections).toEqual([]);
      const deletions = commands.filter(({ replacements }) => replacements.length === 0);
      expect(planWithout(snapshot, deletions).newNodes).toEqual([]);
    });
  });

  it('never replaces nodes with others that may together cost as much', () => {
    check((snapshot, commands) => {
      for (const { candidates, replacements } of commands) {
        const given = candidates.reduce((sum, { price }) => sum + price, 0);
        const worst = replacements.filter(isPlanned).map((planned) => {
          const allowed = snapshot.instanceTypes.get(planned.nodePool) ?? [];
          const named = allowed.filter(({ name }) => planned.instanceTypes.includes(name));
          expect(named).toHaveLength(planned.instanceTypes.length);
          return Math.max(...named.map((type) => worstPrice(type, planned)));
        });
        if (worst.length > 0) expect(worst.reduce((sum, price) => sum + price)).toBeLessThan(given);
      }
    });
  });

  it('finds nothing for a node of a waiting command, and nothing that conflicts with it', () => {
    fc.assert(
      fc.property(clusters, (given) => {
        const snapshot = snapshotOf(given);
        const { waiting, found, situation } = foundBeside(snapshot, given.allowsSpotToSpot);
        const all = [...waiting, ...found];
        const going = all.flatMap(({ candidates }) => candidates.map(({ name }) => name));
        expect(new Set(going).size).toBe(going.length);
        const { valid } = drained(validateConsolidations(all, situation));
        expect(planWithout(snapshot, valid).rejections).toEqual([]);
        const deletions = valid.filter(({ replacements }) => replacements.length === 0);
        expect(planWithout(snapshot, deletions).newNodes).toEqual([]);
      }),
      { numRuns: rounds({ quick: 20, full: 60 }) },
    );
  });

  it('decides the same for the same cluster', () => {
    fc.assert(
      fc.property(clusters, (given) => {
        const names = () =>
          commandsOf(snapshotOf(given), given.allowsSpotToSpot).map(({ candidates }) =>
            candidates.map(({ name }) => name),
          );
        expect(names()).toEqual(names());
      }),
      { numRuns: 15 },
    );
  });
});
