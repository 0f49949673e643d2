import fc from 'fast-check';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { prepare } from './fit.ts';
import { podInfo } from './pods/pod-info.ts';
import { SchedulerState } from './state/cluster-state.ts';

/** A reference implementation of the filters: slow, without indexes, iterating over all pods. */
interface World {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly pods: readonly Pod[];
}

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';
const apps = ['a', 'b', 'c'];

const milli = (pod: Pod) =>
  Number(pod.spec?.containers[0]?.resources?.requests?.['cpu']?.replace('m', '') ?? 0);
const appOf = (pod: Pod) => pod.metadata?.labels?.['app'];
const labelOf = (node: Node | undefined, key: string) => node?.metadata?.labels?.[key];

interface Term {
  readonly topologyKey: string;
  readonly app: string;
}

function termsOf(pod: Pod, side: 'podAffinity' | 'podAntiAffinity'): readonly Term[] {
  const terms = pod.spec?.affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map(({ topologyKey, labelSelector }) => ({
    topologyKey,
    app: labelSelector?.matchLabels?.['app'] ?? '',
  }));
}

function sharesDomain(world: World, other: Pod, node: Node, key: string): boolean {
  const domain = labelOf(node, key);
  return domain !== undefined && labelOf(world.nodes.get(other.spec?.nodeName ?? ''), key) === domain;
}

function hasRoom(world: World, pod: Pod, node: Node): boolean {
  const here = world.pods.filter(({ spec }) => spec?.nodeName === node.metadata?.name);
  const used = here.reduce((sum, other) => sum + milli(other), 0);
  const allocatable = Number(node.status?.allocatable?.['cpu'] ?? 0) * 1000;
  return milli(pod) <= allocatable - used && here.length < Number(node.status?.allocatable?.['pods']);
}

function keepsApart(world: World, pod: Pod, node: Node): boolean {
  return world.pods.every((other) => {
    const own = termsOf(pod, 'podAntiAffinity').some(
      (term) => term.app === appOf(other) && sharesDomain(world, other, node, term.topologyKey),
    );
    const theirs = termsOf(other, 'podAntiAffinity').some(
      (term) => term.app === appOf(pod) && sharesDomain(world, other, node, term.topologyKey),
    );
    return !own && !theirs;
  });
}

function findsCompany(world: World, pod: Pod, node: Node): boolean {
  const terms = termsOf(pod, 'podAffinity');
  if (terms.length === 0) return true;
  if (terms.some(({ topologyKey }) => labelOf(node, topologyKey) === undefined)) return false;
  const company = world.pods.filter(
    (other) => world.nodes.has(other.spec?.nodeName ?? '') && terms.every(({ app }) => app === appOf(other)),
  );
  const counted = company.filter((other) =>
    terms.some(
      ({ topologyKey }) => labelOf(world.nodes.get(other.spec?.nodeName ?? ''), topologyKey) !== undefined,
    ),
  );
  if (counted.length === 0) return terms.every(({ app }) => app === appOf(pod));
  return terms.every(({ topologyKey }) =>
    company.some((other) => sharesDomain(world, other, node, topologyKey)),
  );
}

function staysEven(world: World, pod: Pod, node: Node): boolean {
  const constraints = pod.spec?.topologySpreadConstraints ?? [];
  return constraints.every(({ topologyKey, maxSkew, labelSelector, minDomains = 1 }) => {
    const domain = labelOf(node, topologyKey);
    if (domain === undefined) return false;
    const eligible = [...world.nodes.values()].filter(
      (other) =>
        constraints.every((one) => labelOf(other, one.topologyKey) !== undefined) && isSelected(pod, other),
    );
    const app = labelSelector?.matchLabels?.['app'];
    const count = (value: string) =>
      world.pods.filter((other) => {
        const host = eligible.find(({ metadata }) => metadata?.name === other.spec?.nodeName);
        return appOf(other) === app && labelOf(host, topologyKey) === value;
      }).length;
    const domains = [...new Set(eligible.map((other) => labelOf(other, topologyKey) ?? ''))];
    const least = domains.length < minDomains ? 0 : Math.min(...domains.map(count));
    return count(domain) + (appOf(pod) === app ? 1 : 0) - least <= maxSkew;
  });
}

function isSelected(pod: Pod, node: Node): boolean {
  return Object.entries(pod.spec?.nodeSelector ?? {}).every(([key, value]) => labelOf(node, key) === value);
}

function isTolerated(pod: Pod, node: Node): boolean {
  return (node.spec?.taints ?? []).every(({ key }) => pod.spec?.tolerations?.some((one) => one.key === key));
}

function fits(world: World, pod: Pod, node: Node): boolean {
  return [hasRoom, keepsApart, findsCompany, staysEven]
    .map((rule) => rule(world, pod, node))
    .concat(isSelected(pod, node), isTolerated(pod, node))
    .every(Boolean);
}

const node = fc.record({
  zone: fc.option(fc.constantFrom('z1', 'z2', 'z3')),
  cpu: fc.integer({ min: 1, max: 4 }),
  pods: fc.integer({ min: 1, max: 5 }),
  pool: fc.constantFrom('x', 'y'),
  isTainted: fc.boolean(),
});

const term = fc.record({ topologyKey: fc.constantFrom(zoneKey, hostKey), app: fc.constantFrom(...apps) });

const pod = fc.record({
  app: fc.constantFrom(...apps),
  milli: fc.integer({ min: 0, max: 2000 }),
  pool: fc.option(fc.constantFrom('x', 'y')),
  tolerates: fc.boolean(),
  together: fc.array(term, { maxLength: 1 }),
  apart: fc.array(term, { maxLength: 2 }),
  spread: fc.array(fc.tuple(term, fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 })), {
    maxLength: 2,
  }),
});

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const asTerm = ({ topologyKey, app }: Term) => ({ topologyKey, labelSelector: { matchLabels: { app } } });

function nodeFrom(drawn: Drawn<typeof node>, index: number): Node {
  const name = `n${index}`;
  return {
    metadata: {
      name,
      labels: { [hostKey]: name, pool: drawn.pool, ...(drawn.zone && { [zoneKey]: drawn.zone }) },
    },
    spec: { taints: drawn.isTainted ? [{ key: 'dedicated', effect: 'NoSchedule' }] : [] },
    status: { allocatable: { cpu: String(drawn.cpu), pods: String(drawn.pods), memory: '1Gi' } },
  };
}

function podFrom(drawn: Drawn<typeof pod>, index: number): Pod {
  return {
    metadata: { name: `p${index}`, namespace: 'default', uid: `u${index}`, labels: { app: drawn.app } },
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu: `${drawn.milli}m` } } }],
      ...(drawn.pool && { nodeSelector: { pool: drawn.pool } }),
      tolerations: drawn.tolerates ? [{ key: 'dedicated', operator: 'Exists' }] : [],
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: drawn.together.map(asTerm) },
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: drawn.apart.map(asTerm) },
      },
      topologySpreadConstraints: drawn.spread.map(([one, maxSkew, minDomains]) => ({
        ...asTerm(one),
        maxSkew,
        minDomains,
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    },
  };
}

/** What happens to a pod that fits nowhere: it waits, and sometimes another pod leaves. */
const history = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: 6 }),
  pods: fc.array(pod, { minLength: 1, maxLength: 25 }),
  choices: fc.infiniteStream(fc.nat()),
});

/** The incrementally updated state next to a plain list of placements. */
class TwoRecords {
  readonly cluster = new SchedulerState();
  readonly nodes: Map<string, Node>;
  placed: readonly Pod[] = [];

  constructor(nodes: readonly Node[]) {
    this.nodes = new Map(nodes.map((one) => [one.metadata?.name ?? '', one]));
    for (const one of nodes) this.cluster.setNode(one);
  }

  allowedByFilters(one: Pod): readonly string[] {
    const { check } = prepare(podInfo(one), this.cluster);
    return this.cluster.nodes.filter((host) => check(host) === undefined).map(({ name }) => name);
  }

  allowedByRules(one: Pod): readonly string[] {
    const world = { nodes: this.nodes, pods: this.placed };
    return [...this.nodes].filter(([, host]) => fits(world, one, host)).map(([name]) => name);
  }

  place(one: Pod, nodeName: string): void {
    this.cluster.place(podInfo(one), nodeName);
    const spec = { ...one.spec, containers: one.spec?.containers ?? [], nodeName };
    this.placed = [...this.placed, { ...one, spec }];
  }

  removeAny(choice: number): void {
    const gone = this.placed[choice % Math.max(1, this.placed.length)];
    this.cluster.unplace(`default/${gone?.metadata?.name}`);
    this.placed = this.placed.filter((other) => other !== gone);
  }
}

describe('the filters', () => {
  it('allow exactly the nodes that the rules allow, after any history of the cluster', () => {
    fc.assert(
      fc.property(history, ({ nodes, pods, choices }) => {
        const records = new TwoRecords(nodes.map(nodeFrom));
        for (const one of pods.map(podFrom)) {
          const allowed = records.allowedByFilters(one);
          expect(allowed).toEqual(records.allowedByRules(one));
          const choice = choices.next().value ?? 0;
          const nodeName = allowed[choice % Math.max(1, allowed.length)];
          if (nodeName === undefined) records.removeAny(choice);
          else records.place(one, nodeName);
          if (choice % 7 === 0) relabel(records.cluster, records.nodes, choice);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Relabels a node to another zone together with its pods. */
function relabel(cluster: SchedulerState, known: Map<string, Node>, choice: number): void {
  const names = [...known.keys()];
  const name = names[choice % names.length] ?? '';
  const before = known.get(name);
  const moved = {
    ...before,
    metadata: { name, labels: { ...before?.metadata?.labels, [zoneKey]: `z${(choice % 3) + 1}` } },
  };
  known.set(name, moved);
  cluster.setNode(moved);
}
