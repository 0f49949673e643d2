import type { ContainerLike, ContainerStatusLike, PodLike, ResourceRequirementsLike } from './pod.ts';
import { isZeroQuantity } from './quantity.ts';
import {
  maxResources,
  noResources,
  parseResourceList,
  type QuantityTexts,
  type ResourceList,
  resourceAmount,
  sumResources,
} from './resource-list.ts';

export interface PodResourceOptions {
  /** Count what the kubelet still holds during an in-place resize; defaults to true. */
  readonly useStatus?: boolean;
}

type Kind = 'requests' | 'limits';

/** The status of a container, or of the pod as a whole. */
type Held = Pick<ContainerStatusLike, 'resources' | 'allocatedResources'>;

interface Reading {
  readonly pod: PodLike;
  readonly kind: Kind;
  readonly useStatus: boolean;
  /** The node cannot grant the resize, so the resources in the status stay in force. */
  readonly isInfeasible: boolean;
  readonly statuses: ReadonlyMap<string, Held>;
}

export function isResizeInfeasible(pod: PodLike): boolean {
  const conditions = pod.status?.conditions ?? [];
  return conditions.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible');
}

function startReading(pod: PodLike, kind: Kind, { useStatus = true }: PodResourceOptions): Reading {
  const { containerStatuses = [], initContainerStatuses = [] } = (useStatus && pod.status) || {};
  const statuses = new Map<string, Held>();
  for (const status of [...containerStatuses, ...initContainerStatuses]) {
    statuses.set(status.name ?? '', status);
  }
  return { pod, kind, useStatus, isInfeasible: isResizeInfeasible(pod), statuses };
}

interface Resize {
  readonly wanted: ResourceList;
  readonly held: Held | undefined;
  /** Place of the status, for error messages. */
  readonly field: string;
}

/** During a resize the maximum of old and new counts, because the node may hold either. */
function inForce({ kind, isInfeasible }: Reading, { wanted, held, field }: Resize): ResourceList {
  if (!held?.resources) return wanted;
  const running = parseResourceList(held.resources[kind], `${field}.resources.${kind}`);
  const setAside = kind === 'requests' ? held.allocatedResources : undefined;
  const current = maxResources(running, parseResourceList(setAside, `${field}.allocatedResources`));
  return isInfeasible ? current : maxResources(wanted, current);
}

function wantedOf(
  { kind }: Reading,
  resources: ResourceRequirementsLike | undefined,
  field: string,
): ResourceList {
  return parseResourceList(resources?.[kind], `${field}.resources.${kind}`);
}

function runningContainer(reading: Reading, container: ContainerLike, field: string): ResourceList {
  const { name = '', resources } = container;
  const wanted = wantedOf(reading, resources, field);
  return inForce(reading, {
    wanted,
    held: reading.statuses.get(name),
    field: `status.containerStatuses[${name}]`,
  });
}

interface InitDemand {
  /** Run beside the containers. */
  readonly sidecars: ResourceList;
  /** Maximum over all steps of initialization. */
  readonly peak: ResourceList;
}

/** Init containers run one after another, each beside the sidecars started before it. */
function initDemand(reading: Reading): InitDemand {
  let sidecars = noResources;
  let peak = noResources;
  for (const [index, container] of (reading.pod.spec?.initContainers ?? []).entries()) {
    const field = `spec.initContainers[${index}]`;
    if (container.restartPolicy === 'Always') {
      sidecars = sumResources(sidecars, runningContainer(reading, container, field));
      peak = maxResources(peak, sidecars);
    } else {
      const step = wantedOf(reading, container.resources, field);
      peak = maxResources(peak, sumResources(step, sidecars));
    }
  }
  return { sidecars, peak };
}

function containersTotal(reading: Reading): ResourceList {
  const containers = (reading.pod.spec?.containers ?? []).map((container, index) =>
    runningContainer(reading, container, `spec.containers[${index}]`),
  );
  const { sidecars, peak } = initDemand(reading);
  return maxResources(sumResources(...containers, sidecars), peak);
}

function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** A status without pod-level limits does not mean that there are none; without requests it does. */
function hasPodStatus({ pod, kind, useStatus }: Reading): boolean {
  return useStatus && (kind === 'requests' || pod.status?.resources?.limits !== undefined);
}

/** Pod-level resources; they replace the total of the containers, larger or smaller. */
function podLevel(reading: Reading): ResourceList {
  const { spec, status } = reading.pod;
  const wanted = wantedOf(reading, spec?.resources, 'spec');
  const held = hasPodStatus(reading) ? status : undefined;
  const effective = inForce(reading, { wanted, held, field: 'status' });
  const names = Object.keys(wanted).filter(isPodLevelResource);
  return Object.fromEntries(names.map((name) => [name, resourceAmount(effective, name)]));
}

function beforeOverhead(reading: Reading): ResourceList {
  return { ...containersTotal(reading), ...podLevel(reading) };
}

function overheadOf(pod: PodLike): ResourceList {
  return parseResourceList(pod.spec?.overhead, 'spec.overhead');
}

/** The resources that the kube-scheduler counts for a pod, except the one `pods` it also takes. */
export function podRequests(pod: PodLike, options: PodResourceOptions = {}): ResourceList {
  return sumResources(beforeOverhead(startReading(pod, 'requests', options)), overheadOf(pod));
}

/** The limits of a pod. Overhead increases existing limits but adds no new ones. */
export function podLimits(pod: PodLike, options: PodResourceOptions = {}): ResourceList {
  const limits = beforeOverhead(startReading(pod, 'limits', options));
  const limited = Object.entries(overheadOf(pod)).filter(
    ([name]) => !isZeroQuantity(resourceAmount(limits, name)),
  );
  return sumResources(limits, Object.fromEntries(limited));
}

function fillRequests(resources: ResourceRequirementsLike): ResourceRequirementsLike {
  return { ...resources, requests: { ...resources.limits, ...resources.requests } };
}

function fillContainer(container: ContainerLike): ContainerLike {
  if (container.resources?.limits === undefined) return container;
  return { ...container, resources: fillRequests(container.resources) };
}

/** A pod-level limit becomes the request only for resources that no container requests. */
function fillPodLevel(
  resources: ResourceRequirementsLike,
  requested: ResourceList,
): ResourceRequirementsLike {
  const unrequested = Object.entries(resources.limits ?? {}).filter(
    ([name]) => !Object.hasOwn(requested, name),
  );
  const limits: QuantityTexts = Object.fromEntries(unrequested);
  return { ...resources, requests: { ...limits, ...resources.requests } };
}

/**
 * Copies limits to missing requests, as the API server does when it creates a pod. For templates, such as a
 * DaemonSet's, without a pod yet.
 */
export function withLimitsAsRequests<P extends PodLike>(pod: P): P {
  if (pod.spec === undefined) return pod;
  const { containers, initContainers, resources } = pod.spec;
  const filled = {
    ...pod.spec,
    containers: containers.map(fillContainer),
    ...(initContainers && { initContainers: initContainers.map(fillContainer) }),
  };
  if (resources?.limits === undefined) return { ...pod, spec: filled };
  const requested = containersTotal(startReading({ spec: filled }, 'requests', {}));
  return { ...pod, spec: { ...filled, resources: fillPodLevel(resources, requested) } };
}
