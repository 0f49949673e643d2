import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../ports/index.ts';
import {
  type CapturedCluster,
  isSavedCluster,
  readSavedCluster,
  restoredFact,
  savedClusterText,
  savedFact,
  savedInstanceTypes,
  typesOfPools,
} from './index.ts';

const type: InstanceType = {
  name: 'small',
  requirements: [],
  capacity: { cpu: '1' },
  overhead: {},
  offerings: [{ requirements: [], price: 1, available: true }],
};

const captured: CapturedCluster = {
  at: 5,
  planning: {
    preferencePolicy: 'Respect',
    minValuesPolicy: 'Strict',
    ignoreDraRequests: true,
    featureGates: {
      NodeRepair: false,
      ReservedCapacity: true,
      SpotToSpotConsolidation: false,
      NodeOverlay: false,
      StaticCapacity: false,
      CapacityBuffer: false,
    },
    reservedCapacity: 'fallback',
    defaultSpread: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    nodeClasses: [{ group: 'g', kind: 'K' }],
    hasStorage: true,
  },
  instanceTypes: savedInstanceTypes(new Map([['a', [type]]])),
  facts: [{ type: 'podsExpected', nodeClaim: 'a', pods: ['u'] }],
  objects: [{ apiVersion: 'v1', kind: 'Pod', items: [{ metadata: { name: 'a' } }] }],
};

const patterns = { matchesPattern: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text) };
const written = (change: object = {}) => ({ ...JSON.parse(savedClusterText(captured)), ...change });

describe('a saved cluster', () => {
  it('is read as it was written', () => {
    expect(isSavedCluster(written())).toBe(true);
    expect(readSavedCluster(written(), patterns)).toMatchObject(captured);
    expect(savedClusterText(readSavedCluster(written(), patterns))).toBe(savedClusterText(captured));
  });

  it('leaves out empty lists', () => {
    const objects = [{ apiVersion: 'v1', kind: 'Node', items: [] }];
    expect(JSON.parse(savedClusterText({ ...captured, objects })).objects).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'another version',
      { apiVersion: 'saved.karpenter.sh/v2' },
      'its apiVersion is "saved.karpenter.sh/v2", not',
    ],
    ['no version', { apiVersion: undefined }, 'its apiVersion is missing, not saved.karpenter.sh/v1'],
    ['no time', { at: undefined }, 'at: Required value'],
    [
      'a policy that does not exist',
      { planning: { ...captured.planning, minValuesPolicy: 'No' } },
      'planning.minValuesPolicy',
    ],
    [
      'a NodePool with an unknown list of types',
      { instanceTypes: { lists: [], nodePools: { a: 0 } } },
      'instanceTypes.nodePools.a: there is no list 0',
    ],
    ['an unknown fact', { facts: [{ type: 'podsSung' }] }, 'facts[0].type'],
    [
      'an incomplete fact',
      { facts: [{ type: 'podsExpected', nodeClaim: 'a' }] },
      'facts[0].pods: Required value',
    ],
    [
      'a list without items',
      { objects: [{ apiVersion: 'v1', kind: 'Pod' }] },
      'objects[0].items: Required value',
    ],
    [
      'an item that is no object',
      { objects: [{ apiVersion: 'v1', kind: 'Pod', items: [1] }] },
      'objects[0].items[0]',
    ],
  ])('with %s is refused in one sentence', (_, change, problem) => {
    expect(() => readSavedCluster(JSON.parse(JSON.stringify(written(change))), patterns)).toThrow(
      expect.objectContaining({
        code: 'invalid-object',
        message: expect.stringMatching(/^[^\n]+; save the cluster again$/),
      }),
    );
    expect(() => readSavedCluster(JSON.parse(JSON.stringify(written(change))), patterns)).toThrow(problem);
  });

  it('keeps instance types once for all NodePools that share them', () => {
    const shared = [type];
    const saved = savedInstanceTypes(
      new Map([
        ['a', shared],
        ['b', []],
        ['c', shared],
      ]),
    );
    expect(saved).toEqual({ lists: [[type], []], nodePools: { a: 0, b: 1, c: 0 } });
    const restored = typesOfPools(structuredClone(saved));
    expect(restored.get('c')).toBe(restored.get('a'));
  });

  it('keeps maps of facts', () => {
    const fact = { type: 'bufferPodsPlaced', byNode: new Map([['n', 2]]) } as const;
    expect(restoredFact(JSON.parse(JSON.stringify(savedFact(fact))))).toEqual(fact);
  });
});

describe('an object in a saved cluster', () => {
  const saved = (object: object) =>
    JSON.parse(savedClusterText({ ...captured, objects: [{ apiVersion: 'v1', kind: 'K', items: [object] }] }))
      .objects[0].items[0];

  const secret = { env: [{ name: 'P', value: 'x' }], command: ['x'], image: 'x', livenessProbe: {} };
  const needed = {
    name: 'c',
    resources: { requests: { cpu: '1' } },
    ports: [{ hostPort: 1 }],
    restartPolicy: 'Always',
  };
  const container = { ...needed, ...secret };

  it('has of each container only what plans read, in pods and in templates', () => {
    const spec = {
      containers: [container],
      initContainers: [container],
      ephemeralContainers: [container],
      nodeName: 'n',
    };
    const kept = { containers: [needed], initContainers: [needed], nodeName: 'n' };
    expect(saved({ spec })).toEqual({ spec: kept });
    expect(saved({ spec: { replicas: 1, template: { spec } } })).toEqual({
      spec: { replicas: 1, template: { spec: kept } },
    });
    expect(saved({ template: { spec } })).toEqual({ template: { spec: kept } });
  });

  it('has no managed fields, no applied manifest and no images of nodes', () => {
    const metadata = {
      name: 'a',
      managedFields: [{}],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', other: 'y' },
    };
    expect(saved({ metadata, status: { images: [{}], capacity: { cpu: '1' } } })).toEqual({
      metadata: { name: 'a', annotations: { other: 'y' } },
      status: { capacity: { cpu: '1' } },
    });
  });

  it('may be malformed, because reading it checks it', () => {
    const odd = { metadata: null, spec: { containers: 1, template: [] }, status: 'x' };
    expect(saved(odd)).toEqual(odd);
  });
});
