import { CodedError } from '@karpenter/core/errors';
import type { ConnectedCluster } from '../cluster-view/index.ts';
import type { FoundConsolidation, SearchClock } from '../consolidation/index.ts';
import { planSettings } from '../simulate/index.ts';
import { liveConsolidation, liveObjects, livePlan } from '../what-if/index.ts';

/** What consolidation would do if no budget limited it, in numbers. */
export interface ConsolidationSavings {
  /** Dollars per hour, at catalogue prices. */
  readonly hourly: number;
  readonly deleted: number;
  readonly replaced: number;
  /** Nodes that may be disrupted at all. */
  readonly candidates: number;
}

export interface SavingsInputs {
  readonly connection: ConnectedCluster;
  readonly clock: SearchClock;
  readonly note: (text: string) => void;
}

/**
 * The sum of all commands that consolidation would come to: those of `simulate --consolidate`. A reason instead where
 * the search is impossible or takes too long; the report then stands without it.
 */
export async function consolidationSavings(inputs: SavingsInputs): Promise<ConsolidationSavings | string> {
  const notes: string[] = [];
  try {
    const found = await foundConsolidation({ ...inputs, note: (text) => void notes.push(text) });
    if (typeof found === 'string') return found;
    // Only now: without a search nothing is planned, and the notes say how it was.
    for (const text of notes) inputs.note(text);
    return savingsOf(found);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'missing-permission') return error.message;
    throw error;
  }
}

async function foundConsolidation({
  connection,
  clock,
  note,
}: SavingsInputs): Promise<FoundConsolidation | string> {
  const settings = planSettings({});
  const defaultSpread: readonly [] = [];
  const live = await liveObjects(connection, { settings, defaultSpread, note });
  const types = { connection, live, lists: live, fallback: () => [], note };
  const cluster = await livePlan({ ...types, settings, defaultSpread, at: clock.now() }, clock);
  if ([...cluster.state.instanceTypes.values()].every(({ length }) => length === 0))
    return 'the catalogue has no instance types for the zones of the nodes';
  return liveConsolidation(cluster, settings, clock);
}

function savingsOf({ commands, candidates }: FoundConsolidation): ConsolidationSavings {
  const nodesOf = (isReplacing: boolean) =>
    commands
      .filter(({ replacements }) => replacements.length > 0 === isReplacing)
      .reduce((sum, command) => sum + command.candidates.length, 0);
  return {
    hourly: commands.reduce((sum, { savings }) => sum + savings, 0),
    deleted: nodesOf(false),
    replaced: nodesOf(true),
    candidates,
  };
}
