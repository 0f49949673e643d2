import { labelKeys, type NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { coreLabelAliases, Requirements, Vocabulary } from '@karpenter/core/requirements';
import type { WatchCache } from '@karpenter/kube/cache';
import type { EventRecorder, ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { nodePools } from '../../kinds.ts';
import {
  awsControllerNames,
  awsEvents,
  awsLabelKeys,
  awsLabelPolicy,
  awsReconcilePeriods,
} from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import type { ZonalShifts } from '../../zonal-shift/index.ts';
import { isEc2NodeClass } from '../class-objects.ts';

export interface ZonalShiftControllerOptions {
  readonly shifts: Pick<ZonalShifts, 'refresh'>;
  readonly nodePools: WatchCache<NodePool>;
  readonly classes: WatchCache<EC2NodeClass>;
  readonly recorder: EventRecorder;
}

interface Zone {
  readonly name: string;
  readonly id: string;
}

/** Refreshes zonal shifts and publishes events on the NodePools that lose or regain a zone. */
export class ZonalShiftController implements Singleton {
  readonly name = awsControllerNames.zonalShift;
  readonly #options: ZonalShiftControllerOptions;
  /** Shifted zones as of the last published events. */
  #published: ReadonlySet<string> = new Set();

  constructor(options: ZonalShiftControllerOptions) {
    this.#options = options;
  }

  async reconcile(): Promise<ReconcileResult> {
    const shifted = await this.#options.shifts.refresh();
    const begun = [...shifted].filter((id) => !this.#published.has(id));
    const over = [...this.#published].filter((id) => !shifted.has(id));
    if (begun.length + over.length > 0) this.#publishChanges(begun, over);
    this.#published = shifted;
    return { requeueAfter: awsReconcilePeriods.zonalShift };
  }

  /** Reads all NodePools before it publishes anything: a failed reconcile is repeated as a whole. */
  #publishChanges(begun: readonly string[], over: readonly string[]): void {
    const pools = this.#options.nodePools
      .list()
      .filter(({ spec }) => isEc2NodeClass(spec.template.spec.nodeClassRef))
      .map((pool) => ({ pool, zones: zonesOf(pool, this.#classOf(pool)) }));
    for (const { pool, zones } of pools) {
      for (const zone of zones) {
        if (begun.includes(zone.id)) this.#publish(pool, zone, 'begun');
        if (over.includes(zone.id)) this.#publish(pool, zone, 'over');
      }
    }
  }

  #publish(object: NodePool, { name, id }: Zone, change: 'begun' | 'over'): void {
    const [definition, message] =
      change === 'begun'
        ? [
            awsEvents.zonalShiftActive,
            `Zonal shift detected: offerings in zone ${name} (${id}) are unavailable for this NodePool`,
          ]
        : [
            awsEvents.zonalShiftCleared,
            `Zonal shift cleared: offerings in zone ${name} (${id}) are restored for this NodePool`,
          ];
    this.#options.recorder.publish({ definition, kind: nodePools, object, message });
  }

  #classOf({ metadata, spec }: NodePool): EC2NodeClass {
    const { name } = spec.template.spec.nodeClassRef;
    const nodeClass = this.#options.classes.get({ name });
    if (nodeClass !== undefined) return nodeClass;
    throw new CodedError(
      'unresolved-node-class',
      `cannot tell nodepool ${metadata.name} of a zonal shift: its EC2NodeClass ${name} does not exist; create it or correct nodeClassRef`,
      { details: { nodePool: metadata.name, nodeClass: name } },
    );
  }
}

/** Zones in which the class has subnets and which the NodePool allows, by name and id. */
function zonesOf({ spec }: NodePool, { status }: EC2NodeClass): readonly Zone[] {
  const vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  const { metadata, spec: node } = spec.template;
  const allowed = Requirements.fromItems(vocabulary, node.requirements).and(
    Requirements.fromLabels(vocabulary, metadata?.labels ?? {}),
  );
  const byName = allowed.get(vocabulary.key(labelKeys.zone));
  const byId = allowed.get(vocabulary.key(awsLabelKeys.zoneId));
  const zones = (status?.subnets ?? []).map(({ zone: name, zoneID: id = '' }): [string, Zone] => [
    id,
    { name, id },
  ]);
  return [...new Map(zones).values()].filter(({ name, id }) => byName.has(name) && byId.has(id));
}
