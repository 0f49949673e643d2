import type { InstanceType } from '../../ports/index.ts';
import {
  parseResourceList,
  podRequests,
  type ResourceList,
  resourceAmount,
  subtractResources,
  toNumber,
} from '../../values/index.ts';
import type { Finding } from '../explanation.ts';
import { LabelSpace } from '../label-space.ts';
import type { ExplainedCluster } from '../situation.ts';
import { amountText, blocked } from '../wording.ts';
import type { PodAndPool } from './pool-trial.ts';

/** Resources of which the pod asks for more than any type of the NodePool has. */
export function resourceFindings(explained: ExplainedCluster, tried: PodAndPool): readonly Finding[] {
  return excesses(explained, tried).map(({ resource, asked, largest, type }) =>
    blocked(
      type === undefined || largest <= 0
        ? `the pod asks for ${amountText(resource, asked)}, which no type of the NodePool has`
        : `the pod asks for ${amountText(resource, asked)}; the largest type of the NodePool, ${type}, has ${amountText(resource, largest)} for pods`,
    ),
  );
}

/** By how much the pod exceeds the largest types, as a share of what they have; 0 if it does not. */
export function excessRatio(explained: ExplainedCluster, tried: PodAndPool): number {
  return excesses(explained, tried).reduce(
    (sum, { asked, largest }) => sum + (largest > 0 ? asked / largest - 1 : 100),
    0,
  );
}

interface Excess {
  readonly resource: string;
  readonly asked: number;
  readonly largest: number;
  readonly type: string | undefined;
}

function excesses(explained: ExplainedCluster, { pod, pool }: PodAndPool): readonly Excess[] {
  const labels = new LabelSpace(explained.options);
  const wanted = labels.ofPool(pool);
  const types = (explained.cluster.instanceTypes.get(pool.metadata.name) ?? [])
    .filter(({ requirements }) => wanted.intersects(labels.of(requirements)))
    .map((type) => ({ name: type.name, room: allocatableOf(type) }));
  return Object.entries(podRequests(pod)).flatMap(([resource, quantity]) => {
    const asked = toNumber(quantity);
    const rooms = types.map(({ name, room }) => ({ name, amount: toNumber(resourceAmount(room, resource)) }));
    const [most] = rooms.toSorted((a, b) => b.amount - a.amount);
    const largest = most?.amount ?? 0;
    return asked > largest ? [{ resource, asked, largest, type: most?.name }] : [];
  });
}

/** What pods and daemons can use. */
export function allocatableOf({ capacity, overhead }: InstanceType): ResourceList {
  const { kubeReserved, systemReserved, evictionThreshold } = overhead;
  return [kubeReserved, systemReserved, evictionThreshold].reduce<ResourceList>(
    (room, reserved) => subtractResources(room, parseResourceList(reserved ?? {}, 'overhead')),
    parseResourceList(capacity, 'capacity'),
  );
}
