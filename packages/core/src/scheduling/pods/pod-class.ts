import {
  type ContainerLike,
  type ContainerStatusLike,
  type HostPort,
  hostPorts,
  isResizeInfeasible,
  type Labels,
  podRequests,
  type QuantityTexts,
  resourceTexts,
  withResource,
} from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { PodSpecView } from '../pod-spec.ts';
import type { PodView } from '../snapshot.ts';
import { unreadIdentityLabels, withoutLabels } from './identity-labels.ts';
import { isVirtualPod } from './virtual-pod.ts';

/** Pods that are equal in everything that matters to placement; a plan works per class. */
export interface PodClass {
  readonly index: number;
  /** Number of the scheduling constraints; equal for classes that differ only in their requests. */
  readonly rules: number;
  readonly namespace: string;
  /** Those that rules may read. */
  readonly labels: Labels;
  readonly spec: PodSpecView;
  /** Including `pods: 1`. */
  readonly requests: QuantityTexts;
  readonly hostPorts: readonly HostPort[];
  /** Stands for the room of a CapacityBuffer; real pods are placed first. */
  readonly isVirtual: boolean;
  /** Consolidation would move it from another node; it is not pending. */
  readonly isMoved: boolean;
  /** The oldest first, which is the order of placement. */
  readonly pods: PodView[];
}

/**
 * Groups pods into classes. Pods that share the `spec` and `labels` objects are grouped without comparing
 * them.
 *
 * @param holders bound pods with anti-affinity terms, which may select pods by any label
 */
export function* podClasses(
  pods: readonly PodView[],
  holders: readonly PodView[],
): Steps<readonly PodClass[]> {
  const ignored = yield* unreadIdentityLabels(pods, holders);
  const bySpec = new Map<PodSpecView, LastPod>();
  const known = new KnownClasses();
  const classify = (pod: PodView) => {
    const found = sharedClass(bySpec.get(pod.spec), pod) ?? known.classOf(pod, { ignored });
    if (canShare(pod)) bySpec.set(pod.spec, { labels: pod.metadata.labels, podClass: found });
    found.pods.push(pod);
  };
  yield* inSteps(pods, classify, 'light');
  for (const { pods: members } of known.classes) members.sort(byAge);
  return known.classes;
}

export interface ClassOptions {
  readonly isMoved?: boolean;
  /** Keys of labels that do not tell pods apart. */
  readonly ignored?: ReadonlySet<string>;
}

const noLabels: ReadonlySet<string> = new Set();

/** Classes by the JSON of the fields that matter: comparing texts is faster than parsing specs. */
export class KnownClasses {
  readonly classes: PodClass[] = [];
  readonly #byText = new Map<string, PodClass>();
  readonly #rules = new Map<string, number>();
  readonly #requests = new Map<string, QuantityTexts>();

  classOf(pod: PodView, { isMoved = false, ignored = noLabels }: ClassOptions = {}): PodClass {
    const { namespace } = pod.metadata;
    const labels = withoutLabels(pod.metadata.labels ?? {}, ignored);
    const rulesText = `${isMoved ? 'moved' : ''}${textOfRules(pod, labels)}`;
    const requestsText = textOfRequests(pod);
    const text = `${rulesText}${requestsText}`;
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const made: PodClass = {
      index: this.classes.length,
      rules: this.#rulesOf(rulesText),
      namespace,
      labels,
      spec: pod.spec,
      requests: this.#requestsOf(requestsText, pod),
      hostPorts: hostPorts(pod),
      isVirtual: isVirtualPod(pod),
      isMoved,
      pods: [],
    };
    this.classes.push(made);
    this.#byText.set(text, made);
    return made;
  }

  #rulesOf(text: string): number {
    const rules = this.#rules.get(text) ?? this.#rules.size;
    this.#rules.set(text, rules);
    return rules;
  }

  /** There are far fewer distinct requests than classes. */
  #requestsOf(text: string, pod: PodView): QuantityTexts {
    const known = this.#requests.get(text);
    if (known !== undefined) return known;
    const made = withResource(resourceTexts(podRequests(pod)), 'pods', '1');
    this.#requests.set(text, made);
    return made;
  }
}

/** The class of the last pod with a certain `spec` object. */
interface LastPod {
  readonly labels: Labels | undefined;
  readonly podClass: PodClass;
}

function sharedClass(last: LastPod | undefined, pod: PodView): PodClass | undefined {
  if (last === undefined || !canShare(pod)) return undefined;
  const { labels, podClass } = last;
  const isAlike =
    labels === pod.metadata.labels &&
    podClass.namespace === pod.metadata.namespace &&
    podClass.isVirtual === isVirtualPod(pod);
  return isAlike ? podClass : undefined;
}

/** Karpenter's queue order: most CPU, then most memory, then the oldest; virtual pods after all others. */
export function inPlacementOrder(
  classes: readonly PodClass[],
  size: (podClass: PodClass, resource: string) => number,
): PodClass[] {
  // Each size is read once, not once for each comparison.
  const sized = classes.map((podClass) => ({
    podClass,
    cpu: size(podClass, 'cpu'),
    memory: size(podClass, 'memory'),
  }));
  sized.sort(
    (a, b) =>
      Number(a.podClass.isVirtual) - Number(b.podClass.isVirtual) ||
      b.cpu - a.cpu ||
      b.memory - a.memory ||
      byFirstPod(a.podClass, b.podClass),
  );
  return sized.map(({ podClass }) => podClass);
}

function byFirstPod(a: PodClass, b: PodClass): number {
  const [first] = a.pods;
  const [second] = b.pods;
  return first === undefined || second === undefined ? 0 : byAge(first, second);
}

/** The oldest first. */
export function byAge({ metadata: a }: PodView, { metadata: b }: PodView): number {
  return compare(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compare(a.uid, b.uid);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Whether `spec` and `labels` alone decide the class. The status matters during an in-place resize and for
 * resource claims, the name of the pod for claims of ephemeral volumes.
 */
function canShare({ status, spec }: PodView): boolean {
  if (spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined)) return false;
  if (spec.resourceClaims !== undefined) return false;
  if (status?.resources !== undefined || status?.allocatedResources !== undefined) return false;
  return status?.containerStatuses === undefined && status?.initContainerStatuses === undefined;
}

function textOfRules({ metadata, spec }: PodView, labels: Labels): string {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, hostNetwork } = spec;
  return JSON.stringify([
    metadata.namespace,
    labels,
    isVirtualPod({ metadata }),
    spec.containers.map(({ ports }) => ports),
    spec.initContainers?.map(({ ports, restartPolicy }) => [ports, restartPolicy]),
    nodeSelector,
    affinity,
    tolerations,
    topologySpreadConstraints,
    volumeParts(metadata.name, spec),
    hostNetwork,
    ...(spec.resourceClaims === undefined ? [] : ['claims']),
  ]);
}

function textOfRequests(pod: PodView): string {
  const { spec, status } = pod;
  return JSON.stringify([
    spec.containers.map(containerParts),
    spec.initContainers?.map(containerParts),
    spec.overhead,
    spec.resources,
    status?.containerStatuses?.map(resizeParts),
    status?.initContainerStatuses?.map(resizeParts),
    status?.resources,
    status?.allocatedResources,
    isResizeInfeasible(pod),
    ...(spec.resourceClaims === undefined ? [] : [spec.resourceClaims, status?.resourceClaimStatuses]),
  ]);
}

/**
 * Only volumes with claims restrict where a pod goes. Others must not tell pods apart: every pod of a live
 * cluster has a token volume with a random name. Pods with ephemeral volumes have claims of their own, so the
 * name of the pod is part of the class.
 */
function volumeParts(pod: string, { volumes = [] }: PodSpecView): readonly unknown[] {
  return volumes.flatMap<unknown>(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [{ pod, name }];
  });
}

function containerParts({ name, resources, restartPolicy }: ContainerLike): readonly unknown[] {
  return [name, resources, restartPolicy];
}

/** The fields of a container status that requests depend on, which matter during an in-place resize. */
function resizeParts({ name, resources, allocatedResources }: ContainerStatusLike): readonly unknown[] {
  return [name, resources, allocatedResources];
}
