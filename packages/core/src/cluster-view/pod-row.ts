import { timestampMs } from '../api/index.ts';
import { type ClusterPod, doNotDisrupt } from '../state/index.ts';
import { type ContainerStatusLike, controllerReference, type Labels, podRequests } from '../values/index.ts';
import { type Amounts, amountsOf, noAmounts } from './amounts.ts';

/**
 * What a viewer colours a pod by. `starting` is bound but not ready, `failing` is failed or waiting for a crash
 * loop or an image.
 */
type PodPhase = 'pending' | 'starting' | 'running' | 'failing' | 'succeeded' | 'terminating';

export interface PodRow {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly phase: PodPhase;
  /** `status.phase` as kubectl counts it; a pod without one is pending. */
  readonly statusPhase: string;
  /** Name of the Node it is bound to. */
  readonly nodeName?: string;
  readonly workload: Workload;
  readonly labels: Labels;
  /** With one of the resource `pods`; nothing once the pod has ended or is being deleted. */
  readonly requests: Amounts;
  readonly isDaemon: boolean;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly restarts: number;
  /** Until when its do-not-disrupt annotation holds; infinite for `"true"`, absent without one. */
  readonly protectedUntil?: number;
  /** What Fargate provisioned for it, such as `0.25vCPU 0.5GB`. */
  readonly fargateSize?: string;
  /** Why kube-scheduler found no node, or why a container waits. */
  readonly message?: string;
}

/** The workload that people know a pod by: the Deployment rather than its ReplicaSet. */
interface Workload {
  readonly kind: string;
  readonly name: string;
}

/** A pod with the fields that viewers read beyond those of the cluster state. */
export interface ViewedPod extends Omit<ClusterPod, 'status'> {
  readonly status?: Omit<NonNullable<ClusterPod['status']>, 'containerStatuses' | 'conditions'> & {
    readonly containerStatuses?: readonly ViewedContainer[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status?: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

interface ViewedContainer extends ContainerStatusLike {
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
}

export function podRow(pod: ViewedPod): PodRow {
  const { metadata, spec, status } = pod;
  const phase = phaseOf(pod);
  const nodeName = spec.nodeName === '' ? undefined : spec.nodeName;
  const message = messageOf(pod);
  const protection = doNotDisrupt(pod);
  const fargateSize = metadata.annotations?.['CapacityProvisioned'];
  return {
    uid: metadata.uid,
    namespace: metadata.namespace,
    name: metadata.name,
    phase,
    statusPhase: status?.phase ?? 'Pending',
    workload: workloadOf(pod),
    labels: metadata.labels ?? {},
    requests: hasEnded(pod) || metadata.deletionTimestamp !== undefined ? noAmounts : requestsOf(pod),
    isDaemon: controllerReference(metadata)?.kind === 'DaemonSet',
    createdAt: timestampMs(metadata.creationTimestamp) ?? 0,
    restarts: (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    ...(nodeName !== undefined && { nodeName }),
    ...(message !== undefined && { message }),
    ...(protection.kind === 'protected' && { protectedUntil: protection.until }),
    ...(fargateSize !== undefined && { fargateSize }),
  };
}

function phaseOf({ metadata, spec, status }: ViewedPod): PodPhase {
  if (status?.phase === 'Succeeded') return 'succeeded';
  if (status?.phase === 'Failed') return 'failing';
  if (metadata.deletionTimestamp !== undefined) return 'terminating';
  if ((spec.nodeName ?? '') === '') return 'pending';
  const containers = status?.containerStatuses ?? [];
  if (containers.some(isFailing)) return 'failing';
  const isReady = (status?.conditions ?? []).some(
    ({ type, status: is }) => type === 'Ready' && is === 'True',
  );
  return isReady ? 'running' : 'starting';
}

/** Waiting to start is ordinary; these reasons mean that the pod will not start by itself. */
const failingReasons: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'CreateContainerError',
  'CreateContainerConfigError',
  'RunContainerError',
]);

function isFailing({ state }: ViewedContainer): boolean {
  return failingReasons.has(state?.waiting?.reason ?? '');
}

function hasEnded({ status }: ViewedPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function requestsOf(pod: ViewedPod): Amounts {
  try {
    return { ...amountsOf(podRequests(pod)), pods: 1 };
  } catch {
    return { pods: 1 };
  }
}

function messageOf({ status }: ViewedPod): string | undefined {
  const waiting = (status?.containerStatuses ?? []).find(isFailing)?.state?.waiting;
  if (waiting !== undefined) return waiting.message ?? waiting.reason;
  return (status?.conditions ?? []).find(({ type, status: is }) => type === 'PodScheduled' && is === 'False')
    ?.message;
}

/** A ReplicaSet of a Deployment has the Deployment's name and the hash that its pods carry as a label. */
function workloadOf({ metadata }: ViewedPod): Workload {
  const owner = controllerReference(metadata);
  if (owner === undefined) return { kind: 'Pod', name: metadata.name };
  const hash = metadata.labels?.['pod-template-hash'];
  if (owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`))
    return { kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1) };
  return { kind: owner.kind, name: owner.name };
}
