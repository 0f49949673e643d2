import type { NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import type {
  BoundPodView,
  NodeView,
  PlanOptions,
  PodMetadata,
  PodView,
  Snapshot,
  StorageView,
} from '@karpenter/core/scheduling';
import { type Json, member } from '@karpenter/core/schema';
import type { Labels } from '@karpenter/core/values';
import { inputError, type Origin } from '../input/origin.ts';
import { type Findings, noFindings, type PlanSimulation, type Policies } from '../simulation.ts';
import { readSaved } from './saved-shape.ts';
import { SharedParts } from './shared-parts.ts';

const kind = 'KarpenterSnapshot';
const version = 1;

/**
 * A snapshot and its plan options in JSON. Pods refer to specs, labels and annotations by index into `parts`: a spec
 * for each of 50,000 pods makes a long file, and planning is faster when equal pods share their parts after loading.
 */
export interface SavedSnapshot {
  readonly kind: typeof kind;
  readonly version: typeof version;
  readonly options: SavedOptions;
  readonly at: number;
  readonly revision: number;
  readonly nodePools: readonly NodePool[];
  readonly instanceTypeLists: readonly (readonly InstanceType[])[];
  /** The index into `instanceTypeLists` of each NodePool. */
  readonly instanceTypes: readonly (readonly [nodePool: string, list: number])[];
  readonly nodes: readonly NodeView[];
  readonly parts: readonly object[];
  readonly pods: readonly SavedPod[];
  readonly boundPods: readonly SavedPod[];
  readonly daemonPods: readonly SavedPod[];
  readonly namespaces: readonly (readonly [name: string, labels: Labels])[];
  readonly storage?: StorageView;
  /** Absent in files of older releases. */
  readonly findings?: Findings;
}

interface SavedOptions
  extends Pick<PlanOptions, 'preferencePolicy' | 'minValuesPolicy' | 'reservedCapacity'> {
  readonly wellKnownLabels: readonly string[];
  readonly labelAliases: readonly (readonly [string, string])[];
}

/** Numbers are indexes into `parts`. */
interface SavedPod extends Omit<PodMetadata, 'labels' | 'annotations'> {
  readonly labels?: number;
  readonly annotations?: number;
  readonly spec: number;
  readonly status?: PodView['status'];
  readonly nodeName?: string;
}

export function isSavedSnapshot(value: Json): boolean {
  return member(value, 'kind') === kind;
}

export function savedSnapshotText(simulation: PlanSimulation): string {
  return `${JSON.stringify(savedSnapshot(simulation))}\n`;
}

function savedSnapshot({ snapshot, options, findings }: PlanSimulation): SavedSnapshot {
  const parts = new SharedParts();
  const lists = new SharedParts();
  const save = (pod: PodView | BoundPodView) => savedPod(pod, parts);
  return {
    kind,
    version,
    options: {
      ...options,
      wellKnownLabels: [...options.wellKnownLabels],
      labelAliases: [...options.labelAliases],
    },
    at: snapshot.at,
    revision: snapshot.revision,
    nodePools: snapshot.nodePools,
    instanceTypes: [...snapshot.instanceTypes].map(([pool, types]) => [pool, lists.indexOf(types)]),
    instanceTypeLists: lists.list as (readonly InstanceType[])[],
    nodes: snapshot.nodes,
    pods: snapshot.pods.map(save),
    boundPods: snapshot.boundPods.map(save),
    daemonPods: snapshot.daemonPods.map(save),
    namespaces: [...snapshot.namespaces],
    ...(snapshot.storage !== undefined && { storage: snapshot.storage }),
    findings,
    parts: parts.list,
  };
}

function savedPod(pod: PodView | BoundPodView, parts: SharedParts): SavedPod {
  const { labels, annotations, ...names } = pod.metadata;
  return {
    ...names,
    ...(labels !== undefined && { labels: parts.indexOf(labels) }),
    ...(annotations !== undefined && { annotations: parts.indexOf(annotations) }),
    spec: parts.indexOf(pod.spec ?? {}),
    ...(pod.status !== undefined && { status: pod.status }),
    ...('nodeName' in pod && { nodeName: pod.nodeName }),
  };
}

/** Restores a saved simulation, which gives the same plan again unless the command line sets other policies. */
export function savedSimulation(value: Json, origin: Origin, policies: Policies): PlanSimulation {
  const found = member(value, 'version');
  if (found !== version) {
    throw inputError(
      'invalid-object',
      origin,
      `the snapshot has version ${JSON.stringify(found)}, this program reads ${version}`,
    );
  }
  const saved: SavedSnapshot = readSaved(value, origin);
  return {
    kind: 'snapshot',
    source: origin.file,
    snapshot: restored(saved),
    options: { ...restoredOptions(saved.options), ...policies },
    findings: { ...noFindings, ...saved.findings },
  };
}

function restoredOptions(options: SavedOptions): PlanOptions {
  return {
    ...options,
    wellKnownLabels: new Set(options.wellKnownLabels),
    labelAliases: new Map(options.labelAliases),
  };
}

function restored(saved: SavedSnapshot): Snapshot {
  const pod = (written: SavedPod) => restoredPod(written, saved.parts);
  return {
    at: saved.at,
    revision: saved.revision,
    nodePools: saved.nodePools,
    instanceTypes: new Map(
      saved.instanceTypes.map(([pool, list]) => [pool, saved.instanceTypeLists[list] ?? []]),
    ),
    nodes: saved.nodes,
    pods: saved.pods.map(pod),
    boundPods: saved.boundPods.map((written) => ({ ...pod(written), nodeName: written.nodeName ?? '' })),
    daemonPods: saved.daemonPods.map(pod),
    namespaces: new Map(saved.namespaces),
    ...(saved.storage !== undefined && { storage: saved.storage }),
  };
}

function restoredPod(saved: SavedPod, parts: readonly object[]): PodView {
  const { labels, annotations, spec, status, nodeName: _, ...names } = saved;
  const part = <T>(index: number): T => (parts[index] ?? {}) as T;
  return {
    metadata: {
      ...names,
      ...(labels !== undefined && { labels: part<Labels>(labels) }),
      ...(annotations !== undefined && { annotations: part<Labels>(annotations) }),
    },
    spec: part<NonNullable<PodView['spec']>>(spec),
    ...(status !== undefined && { status }),
  };
}
