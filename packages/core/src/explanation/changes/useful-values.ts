import type { NodePool } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import { requiredAlternatives } from '../../requirements/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import { fits, podRequests } from '../../values/index.ts';
import { allocatableOf } from '../checks/resource-findings.ts';
import { LabelSpace } from '../label-space.ts';
import type { ExplainedCluster } from '../situation.ts';

/** Values to try for one key; further ones belong to more expensive types. */
const maxValues = 3;

/**
 * Values that a NodePool does not allow and that would let it use types with room for the pod, by key, those of the
 * cheapest types first.
 */
export function usefulValues(
  { cluster, options }: ExplainedCluster,
  pod: ClusterPod,
  pool: NodePool,
): ReadonlyMap<string, readonly string[]> {
  const labels = new LabelSpace(options);
  const alternatives = requiredAlternatives(labels.vocabulary, pod.spec);
  const requests = podRequests(pod);
  const types = (cluster.instanceTypes.get(pool.metadata.name) ?? [])
    .filter(
      (type) => type.offerings.some(({ available }) => available) && fits(requests, allocatableOf(type)),
    )
    .map((type) => ({ price: lowestPrice(type), has: labels.of(type.requirements) }))
    .filter(({ has }) => alternatives.some((asked) => asked.intersects(has)))
    .toSorted((a, b) => a.price - b.price);
  return new Map(
    pool.spec.template.spec.requirements.map((item) => {
      const [required] = labels.of([item]).entries;
      const values = new Set<string>();
      if (required === undefined) return [item.key, []];
      for (const { has } of types) {
        const found = has.find(required.key);
        for (const value of found?.values() ?? []) if (!required.has(value)) values.add(value);
        if (values.size >= maxValues) break;
      }
      return [item.key, [...values].slice(0, maxValues)];
    }),
  );
}

function lowestPrice({ offerings }: InstanceType): number {
  return Math.min(...offerings.filter(({ available }) => available).map(({ price }) => price));
}
