import type { InstanceType } from '@karpenter/core/ports';
import {
  allocatedOn,
  claim,
  claimant,
  deviceAllocationPort,
  devicesView,
  gpus,
  gpuTemplate,
  isAllocatable,
  slice,
} from '@karpenter/testkit/devices';
import { rounds } from '@karpenter/testkit/rounds';
import { instanceType, node, planOptions, pool, snapshot } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, type PodSpecView, plan, type ResourceClaimView, type Snapshot } from '../index.ts';

const options = { ...planOptions, devices: deviceAllocationPort };

function gpuType(name: string, price: number, count: number): InstanceType {
  const type = instanceType(name, { price, cpu: '8', memory: '64Gi' });
  return count === 0 ? type : { ...type, deviceTemplates: [gpuTemplate(gpus(count))] };
}

/** The most that any claim asks for. */
const maxAsked = 3;

interface PodCase {
  readonly count: number;
  readonly isShared: boolean;
  readonly cpu: number;
  /** Whether it keeps away from others like it. */
  readonly isApart: boolean;
  readonly isSpread: boolean;
}

interface Case {
  readonly sizes: readonly number[];
  /** How many devices the claim of each pod asks for, and whether it is that of the pod before. */
  readonly pods: readonly PodCase[];
  /** Devices of each node, and how many of them are in use. */
  readonly nodes: readonly { readonly devices: number; readonly used: number }[];
  /** Of the pool, in CPUs. */
  readonly limit: number | undefined;
}

const cases: fc.Arbitrary<Case> = fc.record({
  sizes: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }),
  pods: fc.array(
    fc.record({
      count: fc.integer({ min: 1, max: maxAsked }),
      isShared: fc.boolean(),
      cpu: fc.integer({ min: 1, max: 4 }),
      isApart: fc.boolean(),
      isSpread: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  nodes: fc.array(
    fc.record({ devices: fc.integer({ min: 0, max: 4 }), used: fc.integer({ min: 0, max: 2 }) }),
    {
      maxLength: 2,
    },
  ),
  limit: fc.option(fc.integer({ min: 8, max: 32 }), { nil: undefined }),
});

interface Built {
  readonly snapshot: Snapshot;
  readonly claims: ReadonlyMap<string, ResourceClaimView>;
  /** The claim of each pod. */
  readonly claimOf: ReadonlyMap<string, string>;
}

function rulesOf({ isApart, isSpread }: PodCase): Partial<PodSpecView> {
  const apart = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { apart: 'true' } } };
  const spread = {
    topologyKey: 'topology.kubernetes.io/zone',
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { spread: 'true' } },
  };
  return {
    ...(isApart && {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
    }),
    ...(isSpread && { topologySpreadConstraints: [spread] }),
  };
}

function build({ sizes, pods, nodes, limit }: Case): Built {
  const claimOf = new Map<string, string>();
  pods.forEach(({ isShared }, index) => {
    const before = claimOf.get(`p${index - 1}`);
    claimOf.set(`p${index}`, isShared && before !== undefined ? before : `c${index}`);
  });
  const wanted = pods.flatMap(({ count }, index) =>
    claimOf.get(`p${index}`) === `c${index}` ? [claim(`c${index}`, { count })] : [],
  );
  const used = nodes.flatMap(({ devices, used: count }, index) =>
    Array.from({ length: Math.min(count, devices) }, (_, number) =>
      claim(`used-${index}-${number}`, {
        status: allocatedOn(`n${index}`, [`gpu-${number}`], [`somebody-${index}-${number}`]),
      }),
    ),
  );
  return {
    claimOf,
    claims: new Map(wanted.map((each) => [each.metadata.name, each])),
    snapshot: snapshot({
      types: sizes.map((count, index) => gpuType(`t${index}`, index + 1, count)),
      nodes: nodes.map((_, index) => node(`n${index}`, { allocatable: { cpu: '8' } })),
      pools: [pool('default', limit === undefined ? {} : { limits: { cpu: String(limit) } })],
      pods: pods.map((each, index) =>
        claimant(`p${index}`, [claimOf.get(`p${index}`) ?? ''], {
          cpu: String(each.cpu),
          labels: { apart: String(each.isApart), spread: String(each.isSpread) },
          ...rulesOf(each),
        }),
      ),
      devices: devicesView({
        claims: [...wanted, ...used],
        slices: nodes.map(({ devices }, index) => slice(gpus(devices), { nodeName: `n${index}` })),
      }),
    }),
  };
}

/** A case, what was planned for it, and what to look it up in. */
interface Planned extends Built {
  readonly given: Case;
  readonly found: Plan;
  readonly claimsOf: (pods: readonly string[]) => readonly ResourceClaimView[];
}

function forAllPlans(check: (planned: Planned) => void): void {
  fc.assert(
    fc.property(cases, (given) => {
      const built = build(given);
      const claimsOf = (pods: readonly string[]) =>
        [...new Set(pods.map((pod) => built.claimOf.get(pod) ?? ''))].flatMap(
          (name) => built.claims.get(name) ?? [],
        );
      check({ ...built, given, claimsOf, found: plan(built.snapshot, options) });
    }),
    { numRuns: rounds({ quick: 15, full: 40 }) },
  );
}

const nodesOf = ({ placements, newNodes }: Plan) => [...placements, ...newNodes].map(({ pods }) => pods);

describe('a plan for pods with claims', () => {
  it('has devices for all pods on every type that a new node may become', () => {
    forAllPlans(({ snapshot: { instanceTypes }, found, claimsOf }) => {
      const types = new Map((instanceTypes.get('default') ?? []).map((type) => [type.name, type]));
      for (const { pods, instanceTypes: names } of found.newNodes) {
        const templates = names.map((name) => types.get(name)?.deviceTemplates ?? []);
        const claims = claimsOf(pods);
        expect(templates.every((each) => isAllocatable({ templates: each, claims }))).toBe(true);
      }
    });
  });

  it('has free devices for all pods on existing nodes', () => {
    forAllPlans(({ given, found, claimsOf }) => {
      for (const { node: name, pods } of found.placements) {
        const { devices = 0, used = 0 } = given.nodes[Number(name.slice(1))] ?? {};
        const free = gpus(devices).slice(Math.min(used, devices));
        expect(isAllocatable({ templates: [gpuTemplate(free)], claims: claimsOf(pods) })).toBe(true);
      }
    });
  });

  it('keeps pods with one claim together and pods with anti-affinity apart', () => {
    forAllPlans(({ given, found, claimsOf }) => {
      const nodes = nodesOf(found);
      const names = nodes.flatMap(claimsOf).map(({ metadata }) => metadata.name);
      expect(new Set(names).size).toBe(names.length);
      const isApart = (pod: string) => given.pods[Number(pod.slice(1))]?.isApart === true;
      expect(nodes.every((pods) => pods.filter(isApart).length < 2)).toBe(true);
    });
  });

  it('decides on every pod and rejects none that a new node holds', () => {
    forAllPlans(({ snapshot: cluster, given, found, claims, claimOf }) => {
      const rejected = found.rejections.map(({ pod }) => pod);
      const decided = [...nodesOf(found).flat(), ...rejected];
      expect(decided.sort()).toEqual(cluster.pods.map(({ metadata }) => metadata.uid).sort());
      const isAlone = (name: string) => [...claimOf.values()].filter((other) => other === name).length === 1;
      const possible = rejected
        .map((pod) => claimOf.get(pod) ?? '')
        .filter((name) => isAlone(name) && given.limit === undefined)
        .map((name) => claims.get(name)?.spec.devices?.requests?.[0]?.exactly?.count ?? 0)
        .filter((count) => count <= Math.max(...given.sizes));
      expect(possible).toEqual([]);
    });
  });
});
