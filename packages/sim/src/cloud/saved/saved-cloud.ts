import type { SavedBuckets } from '../calls/gateway.ts';
import type { SavedPools } from '../capacity/capacity-pools.ts';
import type { SavedMarket } from '../capacity/spot-market.ts';
import type { SavedQuotas } from '../capacity/vcpu-quotas.ts';
import type { SavedLifecycle } from '../ec2/instance-lifecycle.ts';
import type { SavedTemplateCount } from '../ec2/launch-templates.ts';
import type { SavedAnswer } from '../ec2/recent-answers.ts';
import type { OutputOf } from '../ec2/shapes.ts';
import type { SavedEntry } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import type { SavedChances } from '../world/chances.ts';
import type { SavedWorld } from './saved-world.ts';

/**
 * An account as plain data: its history, its state and its agenda. Left out are the depths of pools and the
 * prices, which follow from seed and time, and the faults, which each start sets again. The keys are the file
 * format.
 */
export interface SavedCloud {
  readonly seed: number;
  readonly chances: SavedChances;
  readonly world: SavedWorld;
  readonly agenda: readonly SavedEntry<AgendaTask>[];
  readonly machines: SavedLifecycle;
  readonly templates: SavedTemplateCount;
  readonly fleetAnswers: readonly SavedAnswer<OutputOf<'createFleet'>>[];
  readonly runAnswers: readonly SavedAnswer<OutputOf<'runInstances'>>[];
  readonly market: SavedMarket;
  readonly pools: SavedPools;
  readonly quotas: SavedQuotas;
  readonly buckets: SavedBuckets;
  readonly eventIds: number;
}
