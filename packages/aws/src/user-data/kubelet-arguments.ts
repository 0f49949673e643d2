import { formatDuration, formatTaint, parseDuration, type Taint } from '@karpenter/core/values';
import type { KubeletConfiguration } from '../node-class/index.ts';
import type { Bootstrap } from './bootstrap.ts';

type Texts = Readonly<Record<string, string>>;

/** Formats the kubelet flags for the bootstrap scripts of AL2 and Windows. */
export function kubeletArguments({ kubelet = {}, labels, taints }: Bootstrap): string {
  return [nodeLabelsArgument(labels), taintsArgument(taints), ...configurationArguments(kubelet)]
    .filter((argument) => argument !== undefined)
    .join(' ');
}

/** Undefined without labels, so that the flag is left out. */
export function nodeLabelsArgument(labels: Texts): string | undefined {
  return quoted('--node-labels', joined(labels, '='));
}

function taintsArgument(taints: readonly Taint[]): string | undefined {
  return quoted('--register-with-taints', taints.map(formatTaint).join(','));
}

function configurationArguments(kubelet: KubeletConfiguration): readonly (string | undefined)[] {
  return [
    plain('--max-pods', kubelet.maxPods),
    plain('--pods-per-core', kubelet.podsPerCore),
    quoted('--system-reserved', joined(kubelet.systemReserved, '=')),
    quoted('--kube-reserved', joined(kubelet.kubeReserved, '=')),
    quoted('--eviction-hard', joined(kubelet.evictionHard, '<')),
    quoted('--eviction-soft', joined(kubelet.evictionSoft, '<')),
    quoted('--eviction-soft-grace-period', joined(gracePeriods(kubelet), '=')),
    plain('--eviction-max-pod-grace-period', kubelet.evictionMaxPodGracePeriod),
    plain('--image-gc-high-threshold', kubelet.imageGCHighThresholdPercent),
    plain('--image-gc-low-threshold', kubelet.imageGCLowThresholdPercent),
    plain('--cpu-cfs-quota', kubelet.cpuCFSQuota),
  ];
}

/** Formats durations as Go does: `1m` becomes `1m0s`. */
export function gracePeriods({ evictionSoftGracePeriod }: KubeletConfiguration): Texts | undefined {
  if (evictionSoftGracePeriod === undefined) return undefined;
  const field = 'spec.kubelet.evictionSoftGracePeriod';
  return Object.fromEntries(
    Object.entries(evictionSoftGracePeriod).map(([signal, text]) => [
      signal,
      formatDuration(parseDuration(text, `${field}.${signal}`)),
    ]),
  );
}

/** Sorted by key, so that equal classes give equal user data and template names. */
function joined(texts: Texts | undefined, sign: string): string {
  return Object.keys(texts ?? {})
    .sort()
    .map((key) => `${key}${sign}${texts?.[key]}`)
    .join(',');
}

function quoted(flag: string, value: string): string | undefined {
  return value === '' ? undefined : `${flag}="${value}"`;
}

function plain(flag: string, value: number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : `${flag}=${value}`;
}
