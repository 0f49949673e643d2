import type { SavedBuckets } from '../calls/gateway.ts';
import type { SavedPools } from '../capacity/capacity-pools.ts';
import type { SavedMarket } from '../capacity/spot-market.ts';
import type { SavedQuotas } from '../capacity/vcpu-quotas.ts';
import type { SavedTemplateCount } from '../ec2/launch-templates.ts';
import type { SavedMachines } from '../ec2/machines.ts';
import type { SavedAnswer } from '../ec2/recent-answers.ts';
import type { Answered } from '../ec2/shapes.ts';
import type { SavedEntry } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import type { SavedChances } from '../world/chances.ts';
import type { SavedWorld } from './saved-world.ts';

/**
 * An account as plain data: what was, what is, and what is going to happen. Depths of pools and prices follow from
 * the seed and the time; faults are those of each start.
 */
export interface SavedCloud {
  readonly seed: number;
  readonly chances: SavedChances;
  readonly world: SavedWorld;
  readonly agenda: readonly SavedEntry<AgendaTask>[];
  readonly machines: SavedMachines;
  readonly templates: SavedTemplateCount;
  readonly fleetAnswers: readonly SavedAnswer<Answered<'createFleet'>>[];
  readonly runAnswers: readonly SavedAnswer<Answered<'runInstances'>>[];
  readonly market: SavedMarket;
  readonly pools: SavedPools;
  readonly quotas: SavedQuotas;
  readonly buckets: SavedBuckets;
  readonly eventIds: number;
}
