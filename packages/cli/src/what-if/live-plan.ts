import { planningKinds } from '@karpenter/controllers/planning';
import type { CoreSettings, DefaultSpreadConstraint } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { cachesOfLists, savedLists } from '@karpenter/kube/cache';
import { consolidationSearch, type FoundConsolidation, type SearchClock } from '../consolidation/index.ts';
import {
  namedClasses,
  type PlannableCluster,
  plannableCluster,
  rethrowWithSource,
} from '../simulate/index.ts';
import { liveInstanceTypes, type TypeSources } from './live-instance-types.ts';

export interface LivePlanInputs extends TypeSources {
  readonly settings: CoreSettings;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** The instant of the plan. */
  readonly at: number;
}

/**
 * Prepares the objects of a live cluster for plans. `simulate` and `cost` share it, so that both see the same instance
 * types, overlays and buffers.
 */
export async function livePlan(inputs: LivePlanInputs, clock: SearchClock): Promise<PlannableCluster> {
  const { connection, lists, settings, defaultSpread, at } = inputs;
  const typesOf = await liveInstanceTypes(inputs);
  const caches = cachesOfLists(savedLists(lists.all), planningKinds);
  return plannableCluster(
    {
      caches,
      at,
      settings,
      reservedCapacity: 'strict',
      defaultSpread,
      hasStorage: true,
      cloud: { nodeClasses: namedClasses(caches), instanceTypes: async (pool) => typesOf(pool) },
      facts: [],
    },
    clock,
  ).catch(rethrowWithSource(connection.server));
}

/** What consolidation would do on the prepared cluster, or why that cannot be found. */
export async function liveConsolidation(
  { planning, state }: PlannableCluster,
  settings: CoreSettings,
  clock: SearchClock,
): Promise<FoundConsolidation | string> {
  try {
    const found = await consolidationSearch({ planning, snapshot: state, settings }, clock);
    return found ?? 'the search took more than a minute';
  } catch (error) {
    if (error instanceof CodedError && error.code === 'no-usable-node-pool') return error.message;
    throw error;
  }
}
