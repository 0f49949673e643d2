import {
  type ContainerLike,
  type HostPort,
  hostPorts,
  type Labels,
  podRequests,
  type QuantityTexts,
  resourceTexts,
} from '../values/index.ts';
import type { PlanSignal } from './plan-result.ts';
import type { PodSpecView } from './pod-spec.ts';
import { inSlices } from './slices.ts';
import type { PodView } from './snapshot.ts';
import { isVirtualPod } from './virtual-pod.ts';

/** Pods that are alike in everything that matters to placement. */
export interface PodClass {
  readonly index: number;
  readonly namespace: string;
  readonly labels: Labels;
  readonly spec: PodSpecView;
  /** With one for the pod itself under `pods`. */
  readonly requests: QuantityTexts;
  readonly hostPorts: readonly HostPort[];
  /** Stands for room to be kept free; real pods go before it. */
  readonly isVirtual: boolean;
  /** In the order in which they are to be placed. */
  readonly pods: PodView[];
}

/** Groups pods into classes. Pods that share spec and labels objects are found without comparing them. */
export function* podClasses(pods: readonly PodView[]): Generator<void, readonly PodClass[], PlanSignal> {
  const bySpec = new Map<PodSpecView, Sighting>();
  const byText = new Map<string, PodClass>();
  const classes: PodClass[] = [];
  yield* inSlices(pods, 1000, (pod) => {
    const found = seenBefore(bySpec.get(pod.spec), pod) ?? classByText(byText, classes, pod);
    if (canShare(pod)) bySpec.set(pod.spec, { labels: pod.metadata.labels, podClass: found });
    found.pods.push(pod);
  });
  for (const { pods: members } of classes) members.sort(byAge);
  return classes;
}

/** The last pod that was seen with a spec. */
interface Sighting {
  readonly labels: Labels | undefined;
  readonly podClass: PodClass;
}

function seenBefore(sighting: Sighting | undefined, pod: PodView): PodClass | undefined {
  if (sighting === undefined || !canShare(pod)) return undefined;
  const { labels, podClass } = sighting;
  const isAlike =
    labels === pod.metadata.labels &&
    podClass.namespace === pod.metadata.namespace &&
    podClass.isVirtual === isVirtualPod(pod);
  return isAlike ? podClass : undefined;
}

/** Largest first, as pods that are hard to place should not come last; then the oldest. Virtual ones last. */
export function inPlacementOrder(
  classes: readonly PodClass[],
  size: (podClass: PodClass, resource: string) => number,
): PodClass[] {
  return [...classes].sort(
    (a, b) =>
      Number(a.isVirtual) - Number(b.isVirtual) ||
      size(b, 'cpu') - size(a, 'cpu') ||
      size(b, 'memory') - size(a, 'memory') ||
      byFirstPod(a, b),
  );
}

function byFirstPod(a: PodClass, b: PodClass): number {
  const [first] = a.pods;
  const [second] = b.pods;
  return first === undefined || second === undefined ? 0 : byAge(first, second);
}

function byAge({ metadata: a }: PodView, { metadata: b }: PodView): number {
  return compare(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compare(a.uid, b.uid);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The status counts only while a resize is under way, the name for claims made from it; else spec and labels say it all. */
function canShare({ status, spec }: PodView): boolean {
  if (spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined)) return false;
  return status?.containerStatuses === undefined && status?.initContainerStatuses === undefined;
}

function classByText(byText: Map<string, PodClass>, classes: PodClass[], pod: PodView): PodClass {
  const text = classText(pod);
  const known = byText.get(text);
  if (known !== undefined) return known;
  const { labels = {}, namespace } = pod.metadata;
  const made: PodClass = {
    index: classes.length,
    namespace,
    labels,
    spec: pod.spec,
    requests: { ...resourceTexts(podRequests(pod)), pods: '1' },
    hostPorts: hostPorts(pod),
    isVirtual: isVirtualPod(pod),
    pods: [],
  };
  classes.push(made);
  byText.set(text, made);
  return made;
}

/** Everything that bears on placement, as it is written: reading it would take longer than comparing texts. */
function classText({ metadata, spec, status }: PodView): string {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources, hostNetwork } =
    spec;
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    isVirtualPod({ metadata }),
    spec.containers.map(containerParts),
    spec.initContainers?.map(containerParts),
    nodeSelector,
    affinity,
    tolerations,
    topologySpreadConstraints,
    volumeParts(metadata.name, spec),
    overhead,
    resources,
    hostNetwork,
    status?.containerStatuses,
    status?.initContainerStatuses,
    status?.conditions,
  ]);
}

/** A claim that is named after its pod makes the pod one of its kind. */
function volumeParts(name: string, { volumes }: PodSpecView): unknown {
  if (volumes === undefined) return undefined;
  return [volumes, volumes.some(({ ephemeral }) => ephemeral !== undefined) ? name : ''];
}

function containerParts({ name, resources, ports, restartPolicy }: ContainerLike): readonly unknown[] {
  return [name, resources, ports, restartPolicy];
}
