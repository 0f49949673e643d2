import { simulate, simulationsOf } from '@karpenter/cli';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import { savedClusterText } from '@karpenter/core/saved-cluster';
import { plan } from '@karpenter/core/scheduling';
import { randomCluster, SeededRandom, storedCluster } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { instanceType, pod, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';

const clusters = seeds({ quick: 20, full: 60 });
const savedAt = Date.UTC(2026, 0, 2);

async function simulated(text: string, now: number, types: readonly InstanceType[]) {
  const ports = {
    plan,
    clock: { now: () => now, monotonic: () => 0 },
    instanceTypes: () => types,
    note: () => undefined,
  };
  const [prepare] = simulationsOf([{ name: 'cluster.json', text }], ports);
  const simulation = await prepare?.();
  if (simulation?.captured === undefined) throw new Error('the file holds no cluster that can be saved');
  const { findings, captured } = simulation;
  return {
    plan: JSON.stringify(simulate(simulation, ports).plan),
    findings,
    file: savedClusterText(captured),
  };
}

function typesOf(seed: number): readonly InstanceType[] {
  const [types = []] = randomCluster(seed).snapshot.instanceTypes.values();
  return types;
}

/** The objects as `kubectl get -o json` prints them. */
function listText(seed: number): string {
  const items = storedCluster(randomCluster(seed), seed).map(({ object, isDeleted }) => ({
    ...object,
    metadata: {
      ...object.metadata,
      ...(isDeleted === true && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
  }));
  const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' } };
  return JSON.stringify({ kind: 'List', items: [...items, { ...storageClass, provisioner: 'p' }] });
}

describe('a saved cluster', () => {
  it('gives the same plan, byte for byte, and the same file when it is saved again', async () => {
    let planned = 0;
    for (const seed of clusters) {
      const types = typesOf(seed);
      // The generator also makes objects that only a planner accepts; a cluster cannot have them.
      const first = await simulated(listText(seed), savedAt, types).catch(invalid);
      if (first === undefined) continue;
      planned += 1;
      // Neither the time nor the instance types are given: the file has them.
      const second = await simulated(first.file, 0, []);
      expect({ seed, ...second }).toEqual({ seed, ...first });
    }
    expect(planned).toBeGreaterThan(clusters.length / 2);
  });
});

const oddValues: readonly [unknown, ...unknown[]] = [
  null,
  0,
  -1,
  1.5,
  '',
  'x',
  '1x',
  true,
  [],
  {},
  [null],
  [{}],
  { a: 1 },
  '__proto__',
  1e308,
];

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** The file with one value, anywhere in it, removed or replaced. */
function damaged(file: string, chance: SeededRandom): string {
  const root = JSON.parse(file);
  const places: Place[] = [];
  const collect = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      places.push({ parent: value as Record<string, unknown>, key });
      collect(member);
    }
  };
  collect(root);
  const { parent, key } = chance.pick([places[0] ?? { parent: root, key: 'kind' }, ...places.slice(1)]);
  if (chance.happens(0.25)) delete parent[key];
  else parent[key] = chance.pick(oddValues);
  return JSON.stringify(root);
}

describe('a damaged saved cluster', () => {
  it('is planned, or refused in one sentence that names the file', async () => {
    const chance = new SeededRandom(1);
    let refused = 0;
    for (const seed of clusters) {
      const types = typesOf(seed).slice(0, 3);
      const whole = await simulated(listText(seed), savedAt, types).catch(invalid);
      if (whole === undefined) continue;
      for (let time = 0; time < 10; time += 1) {
        const error = await simulated(damaged(whole.file, chance), 0, []).catch((thrown: unknown) => thrown);
        if (!(error instanceof Error)) continue;
        refused += 1;
        expect(error).toBeInstanceOf(CodedError);
        expect(error.message).toMatch(/^cluster\.json(, document 1)?: [^\n]+$/);
      }
    }
    expect(refused).toBeGreaterThan(clusters.length);
  });
});

function invalid(error: unknown): undefined {
  const { code } = error as { readonly code?: string };
  if (code !== 'invalid-object') throw error;
  return undefined;
}

describe('the price of a node besides its instance', () => {
  // For four pods of two sizes, two small nodes cost $0.200 together and one large node $0.205.
  const types: readonly InstanceType[] = [
    instanceType('small', { price: 0.1, cpu: '2', memory: '8Gi' }),
    instanceType('large', { price: 0.205, cpu: '4', memory: '16Gi' }),
  ];
  const sizes = ['1Gi', '1Gi', '2Gi', '2Gi'];
  const manifests = JSON.stringify({
    kind: 'List',
    items: [
      pool('default'),
      ...sizes.map((memory, index) => {
        const { metadata, spec } = pod(`web-${index}`, { cpu: '1', memory });
        const containers = spec.containers.map((each) => ({ name: 'main', image: 'app', ...each }));
        return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } };
      }),
    ],
  });
  const nodesOf = ({ plan: text }: { readonly plan: string }) =>
    (JSON.parse(text) as { newNodes: { instanceTypes: string[] }[] }).newNodes.map(
      ({ instanceTypes }) => instanceTypes[0],
    );

  it('is saved with the cluster', async () => {
    const known = types.map((type) => ({ ...type, nodeOverheadPrice: 0.001 }));
    const first = await simulated(manifests, savedAt, known);
    expect(nodesOf(first)).toEqual(['large']);
    expect(await simulated(first.file, 0, [])).toEqual(first);
  });

  it('is not counted for a cluster that was saved without it', async () => {
    const { file } = await simulated(manifests, savedAt, types);
    const saved = JSON.parse(file) as { planning: Record<string, unknown> };
    delete saved.planning['nodeOverheadPrice'];
    expect(nodesOf(await simulated(JSON.stringify(saved), 0, []))).toEqual(['small', 'small']);
  });
});
