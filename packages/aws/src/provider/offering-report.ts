import type { NodePool } from '@karpenter/core/api';
import type { Gauges, InstanceType, Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { awsErrorFields, errorText } from '../aws-errors/index.ts';
import type { ClassLookup, ClassTypes } from '../cloud-provider/index.ts';
import { offeringSeries, reportOfferings } from '../instance-type-provider/index.ts';

export interface OfferingReportOptions {
  readonly nodePools: Pick<WatchCache<NodePool>, 'list'>;
  readonly classes: Pick<ClassLookup, 'find'>;
  readonly types: Pick<ClassTypes, 'of'>;
  readonly featureGates: { readonly ReservedCapacity: boolean };
  readonly meters: Gauges;
  readonly log: Log;
}

/**
 * Reports the offerings of all NodePools. A NodePool whose types cannot be listed does not block the others. Gauges
 * keep their values, so nothing is set while all lists are the same objects: a region has tens of thousands of series.
 */
export function offeringReport(options: OfferingReportOptions): () => Promise<void> {
  const { nodePools, featureGates, meters } = options;
  let reported: readonly (readonly InstanceType[])[] = [];
  return async () => {
    const views = await Promise.all(nodePools.list().map((nodePool) => viewOf(nodePool, options)));
    if (areSame(views, reported)) return;
    reported = views;
    reportOfferings(offeringSeries(views, { withReserved: featureGates.ReservedCapacity }), meters);
  };
}

function areSame(views: readonly object[], others: readonly object[]): boolean {
  return views.length === others.length && views.every((view, index) => view === others[index]);
}

/** One shared object, so that a NodePool without types compares as unchanged. */
const none: readonly InstanceType[] = [];

async function viewOf(
  { metadata, spec }: NodePool,
  { classes, types, log }: OfferingReportOptions,
): Promise<readonly InstanceType[]> {
  const nodeClass = classes.find(spec.template.spec.nodeClassRef.name);
  if (nodeClass === undefined) return none;
  try {
    return (await types.of(nodeClass)).types;
  } catch (error) {
    log.debug('cannot report the offerings of a nodepool', {
      NodePool: { name: metadata.name },
      error: errorText(error),
      ...awsErrorFields(error),
    });
    return none;
  }
}
