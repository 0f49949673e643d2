import { provisioningTuning, timestampMs } from '../api/index.ts';
import type { PodView } from '../scheduling/index.ts';
import { type ClusterPod, isActive } from '../state/index.ts';

/** The fields of a ReplicaSet or Job that say how many pods it is going to have. */
export interface WorkloadView {
  readonly kind: 'ReplicaSet' | 'Job';
  readonly metadata: {
    readonly uid?: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: {
    readonly replicas?: number;
    readonly parallelism?: number;
    readonly completions?: number;
    readonly suspend?: boolean;
    /** Of a ReplicaSet that has reported no pods yet. */
    readonly template?: PodTemplate;
  };
  readonly status?: {
    readonly succeeded?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface PodTemplate {
  readonly metadata?: Partial<PodView['metadata']>;
  readonly spec: PodView['spec'] & {
    readonly nodeName?: string;
    readonly schedulingGates?: readonly unknown[];
  };
}

/**
 * How many pods the workload is about to create, or has created without kube-scheduler having tried them. The
 * pods are counted and not read from the status: a ReplicaSet writes it after it has created all of them.
 */
export function missingPods(workload: WorkloadView, pods: readonly ClusterPod[], at: number): number {
  if (!isCreating(workload)) return 0;
  const settled = pods.filter((pod) => isActive(pod) && !isUntried(pod)).length;
  const missing = wantedPods(workload, pods) - settled;
  // Last, because it reads the timestamps of all pods, and most workloads miss none.
  return missing > 0 && (pods.length === 0 ? isNew(workload, at) : hasArrivals(pods, at)) ? missing : 0;
}

/** Conditions of a workload that creates no more pods: it is stopped or finished, or its pods are refused. */
const stopped: ReadonlySet<string> = new Set([
  'ReplicaFailure',
  'Suspended',
  'Complete',
  'Failed',
  'FailureTarget',
  'SuccessCriteriaMet',
]);

function isCreating({ metadata, spec, status }: WorkloadView): boolean {
  if (metadata.deletionTimestamp !== undefined || spec?.suspend === true) return false;
  return !(status?.conditions ?? []).some((each) => stopped.has(each.type) && each.status === 'True');
}

/** Whether a workload without pods is so new that the controller manager may not have come to it yet. */
function isNew({ metadata }: WorkloadView, at: number): boolean {
  const created = timestampMs(metadata.creationTimestamp);
  return created !== undefined && at - created <= provisioningTuning.newWorkloadWindow;
}

/**
 * Whether pods keep coming. A workload that creates nothing for a while, for whatever reason, must not have
 * nodes made larger: a quota may hold it back for days.
 */
function hasArrivals(pods: readonly ClusterPod[], at: number): boolean {
  return pods.some((pod) => at - arrivalOf(pod) <= provisioningTuning.upcomingPodsWindow);
}

/** When the pod was created or, if that was later, kube-scheduler found no node for it. */
export function arrivalOf({ metadata, status }: ClusterPod): number {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const tried = scheduled?.status === 'False' ? timestampMs(scheduled.lastTransitionTime) : undefined;
  const created = timestampMs(metadata.creationTimestamp);
  return Math.max(tried ?? Number.NEGATIVE_INFINITY, created ?? Number.NEGATIVE_INFINITY);
}

/** Whether the pod still waits for its first try. Pods with scheduling gates have the condition too. */
export function isUntried({ spec, status }: ClusterPod): boolean {
  if ((spec.nodeName ?? '') !== '' || (status?.nominatedNodeName ?? '') !== '') return false;
  return !(status?.conditions ?? []).some(({ type }) => type === 'PodScheduled');
}

function wantedPods({ kind, spec = {}, status }: WorkloadView, pods: readonly ClusterPod[]): number {
  if (kind === 'ReplicaSet') return spec.replicas ?? 1;
  const { parallelism = 1, completions } = spec;
  // The status may lag behind the pods, and pods may be deleted before the Job is.
  const finished = pods.filter(({ status: podStatus }) => podStatus?.phase === 'Succeeded').length;
  const succeeded = Math.max(status?.succeeded ?? 0, finished);
  if (completions !== undefined) return Math.min(parallelism, completions - succeeded);
  // A Job without completions starts no pod once one has succeeded.
  return succeeded === 0 ? parallelism : 0;
}
