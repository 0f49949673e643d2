import type { ClusterPod } from '../../state/index.ts';
import {
  compareQuantities,
  formatQuantity,
  isZeroQuantity,
  parseQuantity,
  podRequests,
  type Quantity,
  type QuantityTexts,
  quantitySign,
  type ResourceList,
  resourceAmount,
  subtractQuantities,
  toNumber,
} from '../../values/index.ts';
import type { FieldChange } from '../explanation.ts';
import { patched, pointer } from '../json-patch.ts';
import { amountText } from '../wording.ts';
import { amountOf, unitsIn } from './amounts.ts';
import { type Change, fieldChange } from './change.ts';
import { podName } from './pod-fields.ts';

/** For each resource that the pod requests, the request of less of it. */
export function requestChanges(
  pod: ClusterPod,
  rooms: readonly ResourceList[],
): readonly Change<ClusterPod>[] {
  return Object.entries(podRequests(pod))
    .filter(([, amount]) => !isZeroQuantity(amount))
    .map(([resource, amount]) => {
      const steps = unitsIn(resource, amount);
      const at = (step: number) =>
        loweredRequest(pod, resource, { from: amount, to: amountOf(resource, step), share: step / steps });
      return { ...at(0), gentler: { steps, at, hints: hintsFor(resource, rooms) } };
    });
}

const maxHints = 6;

/** The largest amounts of a resource that types and nodes have for pods. */
function hintsFor(resource: string, rooms: readonly ResourceList[]): readonly number[] {
  const units = rooms.map((room) => unitsIn(resource, resourceAmount(room, resource)));
  return [...new Set(units)].sort((a, b) => b - a).slice(0, maxHints);
}

interface Lowering {
  readonly from: Quantity;
  readonly to: Quantity;
  /** Of the request that is left. */
  readonly share: number;
}

function loweredRequest(
  pod: ClusterPod,
  resource: string,
  { from, to, share }: Lowering,
): Change<ClusterPod> {
  return fieldChange({
    object: podName(pod),
    text: `request ${amountText(resource, toNumber(to))} instead of ${amountText(resource, toNumber(from))}`,
    size: 2 + 3 * (1 - share),
    patch: (current) => loweringPatch(current, resource, to),
  });
}

/** More containers than any pod has that takes part in this. */
const maxContainers = 100;

/**
 * Takes what is too much from the largest container, then from the next. Init containers count as Kubernetes counts
 * them, so the total is computed again after each. Empty if the total cannot be lowered that far.
 */
function loweringPatch(pod: ClusterPod, resource: string, to: Quantity): readonly FieldChange[] {
  const patch: FieldChange[] = [];
  let current = pod;
  for (let count = 0; count < maxContainers; count++) {
    const excess = subtractQuantities(resourceAmount(podRequests(current), resource), to);
    if (quantitySign(excess) <= 0) return patch;
    const largest = largestRequest(current, resource);
    if (largest === undefined) return [];
    const rest = subtractQuantities(largest.amount, excess);
    const changes = setRequest(largest, resource, quantitySign(rest) < 0 ? '0' : formatQuantity(rest));
    patch.push(...changes);
    current = patched(current, changes);
  }
  return [];
}

interface RequestPlace {
  readonly path: string;
  readonly amount: Quantity;
  readonly hasLimit: boolean;
}

function largestRequest({ spec }: ClusterPod, resource: string): RequestPlace | undefined {
  const podLevel = placeOf(pointer('spec', 'resources'), spec.resources, resource);
  if (podLevel !== undefined) return podLevel;
  const places = (['containers', 'initContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(
      ({ resources }, index) => placeOf(pointer('spec', list, index, 'resources'), resources, resource) ?? [],
    ),
  );
  return places.toSorted((a, b) => compareQuantities(b.amount, a.amount))[0];
}

interface Resources {
  readonly requests?: QuantityTexts;
  readonly limits?: QuantityTexts;
}

function placeOf(
  path: string,
  { requests = {}, limits = {} }: Resources = {},
  resource: string,
): RequestPlace | undefined {
  const text = requests[resource];
  if (text === undefined) return undefined;
  const amount = parseQuantity(text, resource);
  const hasLimit = Object.hasOwn(limits, resource);
  return isZeroQuantity(amount) ? undefined : { path, amount, hasLimit };
}

/** Extended resources must have a limit equal to the request. */
function setRequest({ path, hasLimit }: RequestPlace, resource: string, value: string): FieldChange[] {
  const request = `${path}${pointer('requests', resource)}`;
  const limit = `${path}${pointer('limits', resource)}`;
  const isExtended = resource.includes('/') || resource.startsWith('hugepages-');
  return [
    { op: 'replace', path: request, value },
    ...(hasLimit && isExtended ? [{ op: 'replace' as const, path: limit, value }] : []),
  ];
}
