import { timestampMs } from '../api/index.ts';
import type { NodeRow } from './node-row.ts';
import type { PodRow } from './pod-row.ts';

/** Reasons of the events in which Karpenter says why it keeps a node. */
export const keepingReasons = ['DisruptionBlocked', 'Unconsolidatable'] as const;

/** The fields of an Event that say why a node is kept. */
export interface KeepingEvent {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly involvedObject: { readonly kind?: string; readonly name?: string };
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly series?: { readonly lastObservedTime?: string };
}

interface Known {
  readonly event: string;
  readonly message: string;
  readonly at: number;
}

/** The latest event about each Node and NodeClaim that says why Karpenter does not remove it. */
export class KeepingEvents {
  readonly #latest = new Map<string, Known>();

  apply(event: KeepingEvent): void {
    const key = keyOf(event.involvedObject);
    const at = lastSeen(event);
    if (at < (this.#latest.get(key)?.at ?? 0)) return;
    this.#latest.set(key, { event: nameOf(event), message: event.message ?? event.reason ?? '', at });
  }

  /** Events expire after an hour. An expired one does not take the message of a later one with it. */
  delete(event: KeepingEvent): void {
    const key = keyOf(event.involvedObject);
    if (this.#latest.get(key)?.event === nameOf(event)) this.#latest.delete(key);
  }

  about({ nodeName, nodeClaim }: Pick<NodeRow, 'nodeName' | 'nodeClaim'>): string | undefined {
    const found = [
      this.#latest.get(keyOf({ kind: 'Node', name: nodeName ?? '' })),
      this.#latest.get(keyOf({ kind: 'NodeClaim', name: nodeClaim ?? '' })),
    ].flatMap((known) => known ?? []);
    return found.sort((a, b) => b.at - a.at)[0]?.message;
  }
}

/**
 * Why a node is kept: an annotation that holds now comes before what an event said some minutes ago. Undefined
 * for a node that is on its way out, and if nothing says why.
 */
export function keptReason(
  row: NodeRow,
  {
    pods,
    events,
    now,
  }: {
    readonly pods: ReadonlyMap<string, PodRow>;
    readonly events: Pick<KeepingEvents, 'about'>;
    readonly now: number;
  },
): string | undefined {
  if (row.isDeleting) return undefined;
  if (row.isProtected) return 'the node is annotated with do-not-disrupt';
  const uid = row.pods.find((each) => (pods.get(each)?.protectedUntil ?? 0) > now);
  const pod = uid === undefined ? undefined : pods.get(uid);
  if (pod !== undefined) return `pod ${pod.namespace}/${pod.name} is annotated with do-not-disrupt`;
  return events.about(row);
}

function keyOf({ kind = '', name = '' }: KeepingEvent['involvedObject']): string {
  return `${kind}/${name}`;
}

function nameOf({ metadata }: KeepingEvent): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function lastSeen({ series, lastTimestamp, eventTime }: KeepingEvent): number {
  return timestampMs(series?.lastObservedTime ?? lastTimestamp ?? eventTime) ?? 0;
}
