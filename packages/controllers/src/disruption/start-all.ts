import type { Command } from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { ControllerContext } from '../context/index.ts';
import { type CommandQueue, type MethodOrigin, startCommand } from '../disruption-queue/index.ts';

/** How many commands start at the same time; each makes a handful of API requests. */
const maxConcurrentStarts = 10;

export interface StartAllOptions {
  /** The snapshot that the commands were decided on. */
  readonly snapshot: ClusterSnapshot;
  /** The inputs of the decision; absent if the decision log keeps no clusters. */
  readonly origin?: MethodOrigin | undefined;
  /** Once it aborts no further command starts: another process may hold the lease by then. */
  readonly signal: AbortSignal;
}

type StartAllContext = ControllerContext & { readonly queue: CommandQueue };

/** Starts commands. One that fails does not stop the others; all failures are thrown together at the end. */
export async function startAll(
  context: StartAllContext,
  commands: readonly Command[],
  { snapshot, origin, signal }: StartAllOptions,
): Promise<void> {
  const failures: unknown[] = [];
  for (let first = 0; first < commands.length && !signal.aborted; first += maxConcurrentStarts) {
    // Checked again for each batch: nodes may be deleted while the batch before it starts.
    const starts = withoutDeletedNodes(context, commands.slice(first, first + maxConcurrentStarts)).map(
      (command) => startCommand(context, command, { queue: context.queue, snapshot, origin }),
    );
    for (const outcome of await Promise.allSettled(starts))
      if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('; '));
}

/**
 * Drops commands with a node that was deleted or marked for deletion during the search. Provisioning already
 * plans for the pods of such a node, so a replacement would be a second node for the same pods.
 */
function withoutDeletedNodes({ cluster }: StartAllContext, commands: readonly Command[]): readonly Command[] {
  const staying = new Set(
    cluster
      .snapshot()
      .nodeStates.filter(
        ({ node, markedForDeletion }) => !markedForDeletion && node?.metadata.deletionTimestamp === undefined,
      )
      .map(({ id }) => id),
  );
  return commands.filter(({ candidates }) => candidates.every(({ id }) => staying.has(id)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
