import type { InstanceOverhead } from '@karpenter/core/ports';
import { parseQuantity, toNumber } from '@karpenter/core/values';
import type { ResourceTexts } from './capacity.ts';
import { type DescribedType, vCpusOf } from './described-type.ts';
import type { NodeFacts, SizeSettings } from './node-facts.ts';
import { podsToReserveFor } from './pod-density.ts';
import { quantityText, shareText } from './quantity-text.ts';

/** Defaults of the kubelet configuration on EKS AMIs. */
const reservedStorage = '1Gi';
const defaultMemoryThreshold = '100Mi';
const defaultStorageThresholdPercent = 10;

/** Resources reserved for the kubelet and the system, and hard eviction thresholds. */
export function overheadOf(
  type: DescribedType,
  facts: NodeFacts,
  settings: SizeSettings,
  capacity: ResourceTexts,
): Required<InstanceOverhead> {
  return {
    kubeReserved: kubeReserved(type, facts, settings),
    systemReserved: readAmounts(facts.kubelet?.systemReserved),
    evictionThreshold: evictionThreshold(facts, capacity),
  };
}

/**
 * Computes kube-reserved as the bootstrap script of EKS
 * AMIs does. Values of the class override it key by key.
 */
function kubeReserved(type: DescribedType, facts: NodeFacts, settings: SizeSettings): ResourceTexts {
  return {
    cpu: quantityText(`${reservedMilliCpu(vCpusOf(type) * 1000)}m`),
    memory: quantityText(`${11 * podsToReserveFor(type, facts, settings) + 255}Mi`),
    'ephemeral-storage': reservedStorage,
    ...readAmounts(facts.kubelet?.kubeReserved),
  };
}

/** CPU bands by upper end in millicores, with the share reserved of each. */
const cpuBands = [
  { upTo: 1000, share: 0.06 },
  { upTo: 2000, share: 0.01 },
  { upTo: 4000, share: 0.005 },
  { upTo: Number.POSITIVE_INFINITY, share: 0.0025 },
];

/** Truncates each band to whole millicores, as Karpenter does; truncating only the sum gives other values. */
function reservedMilliCpu(milli: number): number {
  let from = 0;
  let reserved = 0;
  for (const { upTo, share } of cpuBands) {
    reserved += Math.trunc(Math.max(0, Math.min(milli, upTo) - from) * share);
    from = upTo;
  }
  return reserved;
}

/** Ignores soft thresholds: pods may use the memory above the hard ones for a grace period. */
function evictionThreshold({ kubelet }: NodeFacts, capacity: ResourceTexts): ResourceTexts {
  const { 'memory.available': memory, 'nodefs.available': storage } = kubelet?.evictionHard ?? {};
  return {
    memory: threshold(memory, capacity['memory']) ?? defaultMemoryThreshold,
    'ephemeral-storage':
      threshold(storage, capacity['ephemeral-storage']) ??
      shareText(amount(capacity['ephemeral-storage']), defaultStorageThresholdPercent),
  };
}

/**
 * The kubelet treats 100% as a disabled threshold. The CRD accepts an empty string, which counts as unset.
 */
function threshold(signal: string | undefined, capacity: string | undefined): string | undefined {
  if (signal === undefined || signal === '') return undefined;
  if (!signal.endsWith('%')) return quantityText(signal);
  const percent = Number(signal.slice(0, -1));
  return percent === 100 ? '0' : shareText(amount(capacity), percent);
}

function amount(text = '0'): number {
  return toNumber(parseQuantity(text));
}

function readAmounts(written: Readonly<Record<string, string>> = {}): ResourceTexts {
  return Object.fromEntries(Object.entries(written).map(([name, text]) => [name, quantityText(text)]));
}
