import type { NodePool } from '@karpenter/core/api';
import {
  type CloudProvider,
  type InstanceType,
  isNodeClassNotReady,
  type Meters,
} from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Again, Singleton } from '@karpenter/kube/runtime';
import { throwFailures } from '../../aws-errors/index.ts';
import { type OfferingSeries, offeringSeries, reportOfferings } from '../../instance-type-provider/index.ts';
import { awsControllerNames, awsMetrics, awsReconcilePeriods } from '../../names/index.ts';
import { isEc2NodeClass } from '../class-objects.ts';

export interface OfferingOptions {
  readonly nodePools: WatchCache<NodePool>;
  readonly cloud: Pick<CloudProvider, 'instanceTypes'>;
  /** Whether the gate ReservedCapacity is on. */
  readonly reservedCapacity: boolean;
  readonly meters: Pick<Meters, 'set' | 'remove'>;
}

/** Reports which instance types can be had where, and for how much. */
export class OfferingController implements Singleton {
  readonly name = awsControllerNames.cloudProviderMetrics;
  readonly #options: OfferingOptions;
  #reported: ReadonlyMap<string, OfferingSeries> = new Map();

  constructor(options: OfferingOptions) {
    this.#options = options;
  }

  /** A pool that cannot be used says so elsewhere, and keeps none of the others from being reported. */
  async reconcile(): Promise<Again> {
    const { nodePools, reservedCapacity: withReserved } = this.#options;
    const pools = nodePools.list().filter(({ spec }) => isEc2NodeClass(spec.template.spec.nodeClassRef));
    const views = await Promise.allSettled(pools.map((pool) => this.#options.cloud.instanceTypes(pool)));
    this.#report(offeringSeries(views.flatMap(viewIn), { withReserved }));
    throwFailures(views.flatMap(failureIn));
    return { requeueAfter: awsReconcilePeriods.cloudProviderMetrics };
  }

  #report(series: readonly OfferingSeries[]): void {
    const { meters } = this.#options;
    const now = new Map(series.map((each) => [keyOf(each), each]));
    for (const [key, gone] of this.#reported) if (!now.has(key)) remove(gone, meters);
    reportOfferings(series, meters);
    this.#reported = now;
  }
}

type View = PromiseSettledResult<readonly InstanceType[]>;

function viewIn(view: View): readonly (readonly InstanceType[])[] {
  return view.status === 'fulfilled' ? [view.value] : [];
}

function failureIn(view: View): readonly unknown[] {
  return view.status === 'rejected' && !isNodeClassNotReady(view.reason) ? [view.reason] : [];
}

function remove(
  { instanceType, capacityType, zone }: OfferingSeries,
  meters: OfferingOptions['meters'],
): void {
  const labels = { instance_type: instanceType, capacity_type: capacityType, zone };
  meters.remove(awsMetrics.offeringAvailable, labels);
  meters.remove(awsMetrics.offeringPriceEstimate, labels);
}

function keyOf({ instanceType, capacityType, zone }: OfferingSeries): string {
  return `${instanceType} ${capacityType} ${zone}`;
}
