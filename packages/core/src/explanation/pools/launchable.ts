import { labelKeys, type NodePool } from '../../api/index.ts';
import { parseQuantity, toNumber } from '../../values/index.ts';
import { usedOf } from '../changes/candidate-changes.ts';
import { LabelSpace } from '../label-space.ts';
import type { ExplainedCluster } from '../situation.ts';

/** What a NodePool could launch now: an instance type with a capacity type, in the zones with the lowest price. */
interface PoolOffering {
  readonly instanceType: string;
  readonly capacityType: string;
  readonly zones: readonly string[];
  readonly price: number;
}

export interface Launchable {
  /** The cheapest first. */
  readonly offerings: readonly PoolOffering[];
  readonly types: number;
  /** Types that the requirements allow and the limits do not. */
  readonly overLimit: number;
}

export function launchableOf({ cluster, options }: ExplainedCluster, pool: NodePool): Launchable {
  const labels = new LabelSpace(options);
  const wanted = labels.ofPool(pool);
  const left = leftOf(pool, cluster.nodes);
  const types = (cluster.instanceTypes.get(pool.metadata.name) ?? [])
    .filter(({ requirements }) => wanted.intersects(labels.of(requirements)))
    .map((type) => ({
      ...type,
      offerings: type.offerings.filter(
        ({ available, requirements }) => available && wanted.intersects(labels.of(requirements)),
      ),
    }))
    .filter(({ offerings }) => offerings.length > 0);
  const within = types.filter(({ capacity }) =>
    Object.entries(left).every(([resource, amount]) => takenBy(capacity, resource) <= amount),
  );
  const found = within.flatMap(({ name, offerings }) => cheapestByCapacityType(name, offerings));
  return {
    offerings: found.toSorted((a, b) => a.price - b.price || (a.instanceType < b.instanceType ? -1 : 1)),
    types: within.length,
    overLimit: types.length - within.length,
  };
}

/** What is left of each limit, in cores, bytes and pieces. */
export function leftOf(
  pool: NodePool,
  nodes: ExplainedCluster['cluster']['nodes'],
): Readonly<Record<string, number>> {
  const used = usedOf(pool, nodes);
  return Object.fromEntries(
    Object.entries(pool.spec.limits ?? {}).map(([resource, text]) => [
      resource,
      toNumber(parseQuantity(text, resource)) - (used[resource] ?? 0),
    ]),
  );
}

function takenBy(capacity: Readonly<Record<string, string | number>>, resource: string): number {
  return resource === 'nodes' ? 1 : toNumber(parseQuantity(capacity[resource] ?? 0, resource));
}

type Offerings = readonly {
  readonly price: number;
  readonly requirements: readonly { readonly key: string; readonly values?: readonly string[] | undefined }[];
}[];

function cheapestByCapacityType(instanceType: string, offerings: Offerings): readonly PoolOffering[] {
  const capacityTypes = new Set(offerings.map((offering) => labelOf(offering, labelKeys.capacityType)));
  return [...capacityTypes].map((capacityType) => {
    const own = offerings.filter((offering) => labelOf(offering, labelKeys.capacityType) === capacityType);
    const price = Math.min(...own.map((offering) => offering.price));
    const cheapest = own.filter((offering) => offering.price === price);
    return {
      instanceType,
      capacityType,
      price,
      zones: cheapest.map((each) => labelOf(each, labelKeys.zone)),
    };
  });
}

function labelOf({ requirements }: Offerings[number], key: string): string {
  return requirements.find((item) => item.key === key)?.values?.[0] ?? '';
}
