import type { Command } from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { startCommand } from '../disruption-queue/index.ts';
import type { MethodContext } from './method.ts';

/** Commands that are begun at the same time; each takes a handful of requests. */
const mostAtOnce = 10;

export interface StartAllOptions {
  /** What the commands were decided on. */
  readonly snapshot: ClusterSnapshot;
  /** From when on no more of them may begin: another process may lead by then. */
  readonly signal: AbortSignal;
}

/** Begins commands; one that fails does not keep the others back. */
export async function startAll(
  context: MethodContext,
  commands: readonly Command[],
  { snapshot, signal }: StartAllOptions,
): Promise<void> {
  const failures: unknown[] = [];
  for (let first = 0; first < commands.length && !signal.aborted; first += mostAtOnce) {
    const begun = ofStayingNodes(context, commands.slice(first, first + mostAtOnce)).map((command) =>
      startCommand(context, command, { queue: context.queue, snapshot }),
    );
    for (const outcome of await Promise.allSettled(begun))
      if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('; '));
}

/**
 * While commands were looked for, somebody else may have begun to take one of their nodes away. Its pods are planned
 * for already, and a replacement would be one node too many.
 */
function ofStayingNodes({ cluster }: MethodContext, commands: readonly Command[]): readonly Command[] {
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
