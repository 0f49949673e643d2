import { type ExplainedObjects, explainedCluster, explainObject } from '@karpenter/cli';
import type { NodePool } from '@karpenter/core/api';
import type { Explanation, FieldChange, ProposedChange } from '@karpenter/core/explanation';
import { planInput } from '@karpenter/core/provisioning';
import { plan } from '@karpenter/core/scheduling';
import type { ClusterPod } from '@karpenter/core/state';
import type { KindList } from '@karpenter/kube/cache';
import {
  capacityBuffers,
  type Kind,
  type KubeObject,
  kinds,
  nodeClaims,
  nodeOverlays,
  nodePools,
} from '@karpenter/kube/client';
import { randomCluster, storedCluster } from '@karpenter/testkit/random-clusters';
import { batches, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';

const at = Date.UTC(2026, 0, 1);
const clock = { now: () => at, monotonic: () => 0 };
const ports = { clock, note: () => undefined };
const podsOfOneCluster = 2;

const stored = [
  kinds.node,
  kinds.pod,
  kinds.daemonSet,
  kinds.podTemplate,
  kinds.podDisruptionBudget,
  nodePools,
  nodeClaims,
  nodeOverlays,
  capacityBuffers,
] as readonly Kind[];

/** A random cluster as an API server would list it. */
function objectsOf(seed: number): ExplainedObjects {
  const cluster = randomCluster(seed);
  const [types = []] = cluster.snapshot.instanceTypes.values();
  const objects = storedCluster(cluster, seed).map(({ object, isDeleted }): KubeObject => {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const deleted = isDeleted === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    return {
      ...object,
      metadata: { ...object.metadata, uid: `${object.kind}/${namespace}/${name}`, ...deleted },
    };
  });
  const lists = stored.map((kind) => ({ kind, objects: objects.filter((each) => each.kind === kind.kind) }));
  return { lists, instanceTypes: () => types, at };
}

function withObjects(
  objects: ExplainedObjects,
  change: (object: KubeObject) => KubeObject,
): ExplainedObjects {
  const lists = objects.lists.map(({ kind, objects: all }): KindList => ({ kind, objects: all.map(change) }));
  return { ...objects, lists };
}

/** Whether a plan of the cluster gives the pod a node, or lets it wait for a capacity reservation. */
async function isPlaced(objects: ExplainedObjects, uid: string): Promise<boolean> {
  const { cluster, environment, options } = await explainedCluster(objects, clock);
  const { placements, newNodes, deferred } = plan(planInput(cluster, environment).snapshot, options);
  return deferred.includes(uid) || [...placements, ...newNodes].some(({ pods }) => pods.includes(uid));
}

type Mutable = Record<string, unknown> & unknown[];

/** Applies a patch the plain way, on a copy that is changed in place: the product does it otherwise. */
function withPatch(object: KubeObject, patch: readonly FieldChange[]): KubeObject {
  const copy = structuredClone(object);
  for (const { op, path, value } of patch) {
    const names = path.split('/').slice(1);
    const steps = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const parents = steps.slice(0, -1);
    const parent = parents.reduce<unknown>((container, name) => (container as Mutable)[name as never], copy);
    change(parent as Mutable, steps.at(-1) ?? '', { op, value });
  }
  return copy;
}

function change(parent: Mutable, name: string, { op, value }: Pick<FieldChange, 'op' | 'value'>): void {
  if (!Array.isArray(parent) || op === 'replace') {
    if (op === 'remove') delete parent[name as never];
    else Object.assign(parent, { [name]: value });
  } else if (op === 'remove') parent.splice(Number(name), 1);
  else parent.splice(name === '-' ? parent.length : Number(name), 0, value);
}

function madeReady(object: KubeObject): KubeObject {
  const conditions = [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ];
  return Object.assign({}, object, { status: { conditions } });
}

function withChange(
  objects: ExplainedObjects,
  { object: { kind, name, namespace }, patch }: ProposedChange,
): ExplainedObjects {
  return withObjects(objects, (object) => {
    if (object.kind !== kind || object.metadata?.name !== name || object.metadata.namespace !== namespace)
      return object;
    return patch === undefined ? madeReady(object) : withPatch(object, patch);
  });
}

/** The pod without any rule, and every NodePool ready and without limits and requirements. */
function stripped(objects: ExplainedObjects, uid: string): ExplainedObjects {
  return withObjects(objects, (object) => {
    if (object.kind === 'NodePool') return madeReady(withoutRules(object as NodePool));
    if (object.metadata?.uid !== uid) return object;
    const spec = { containers: [{ name: 'main' }], tolerations: [{ operator: 'Exists' }] };
    return Object.assign({}, object, { spec });
  });
}

function withoutRules({ spec, ...pool }: NodePool): KubeObject {
  const { limits: _limits, ...rest } = spec;
  const template = { ...spec.template, spec: { ...spec.template.spec, requirements: [] } };
  return Object.assign({}, pool, { spec: { ...rest, template } });
}

/** Pods that the plan rejects, of different shapes. */
async function rejectedPods(objects: ExplainedObjects): Promise<readonly ClusterPod[]> {
  const { cluster, environment, options } = await explainedCluster(objects, clock);
  const { rejections } = plan(planInput(cluster, environment).snapshot, options);
  const uids = new Set(rejections.map(({ pod }) => pod));
  const rejected = cluster.pendingPods.filter(({ metadata }) => uids.has(metadata.uid));
  const shapes = new Map(rejected.map((pod) => [JSON.stringify(pod.spec), pod]));
  return [...shapes.values()].slice(0, podsOfOneCluster);
}

const counts = { pods: 0, single: 0, several: 0, nothing: 0 };

async function problemsOf(objects: ExplainedObjects, pod: ClusterPod): Promise<readonly string[]> {
  const { namespace, name, uid } = pod.metadata;
  const explanation = await explainObject(objects, { kind: 'Pod', namespace, name }, ports);
  counts.pods += 1;
  return explanation.changes.length === 0
    ? nothingProblems(objects, uid, explanation)
    : changeProblems(objects, uid, explanation);
}

async function nothingProblems(
  objects: ExplainedObjects,
  uid: string,
  { summary }: Explanation,
): Promise<readonly string[]> {
  counts.nothing += 1;
  const isHopeless = !(await isPlaced(stripped(objects, uid), uid));
  const saysSo = summary.includes('no change of the pod or of the NodePools that was tried would help');
  return isHopeless && saysSo ? [] : [`${uid}: says that nothing helps: ${summary}`];
}

async function changeProblems(
  objects: ExplainedObjects,
  uid: string,
  { changes }: Explanation,
): Promise<readonly string[]> {
  const problems: string[] = [];
  counts[changes[0]?.together === undefined ? 'single' : 'several'] += 1;
  for (const proposed of changes) {
    const all = [proposed, ...(proposed.together ?? [])];
    if (!(await isPlaced(all.reduce(withChange, objects), uid)))
      problems.push(`${uid}: does not help: ${all.map(({ text }) => text).join(' and ')}`);
  }
  return problems;
}

describe('explain on random pending pods', () => {
  it.each(batches(seeds({ quick: 30, full: 150 }), 5))(
    'proposes only changes with which a plan places the pod, or says that none helps, in clusters $first to $last',
    async ({ seeds: some }) => {
      const found: string[] = [];
      for (const seed of some) {
        const objects = objectsOf(seed);
        for (const pod of await rejectedPods(objects))
          found.push(...(await problemsOf(objects, pod)).map((problem) => `seed ${seed}: ${problem}`));
      }
      expect(found).toEqual([]);
    },
  );

  it('covers single changes, several together, and pods that nothing helps', () => {
    expect(counts.pods).toBe(counts.single + counts.several + counts.nothing);
    expect(Math.min(counts.single, counts.several, counts.nothing)).toBeGreaterThan(0);
  });
});
