import type { EventDefinition, NodeClaim } from '@karpenter/core/api';
import {
  type DecisionDraft,
  type DecisionRecorder,
  type ObjectName,
  RepeatedDecisions,
  shortText,
} from '@karpenter/core/decisions';
import type { Clock, ClusterEvent, EventRecorder } from '@karpenter/kube/runtime';

/** Which events are decisions of their own. */
interface DecisionEvents {
  readonly refusals: readonly EventDefinition[];
  readonly notices: readonly EventDefinition[];
}

export interface EventDecisionsOptions extends DecisionEvents {
  readonly recorder: EventRecorder;
  readonly decisions: DecisionRecorder;
  readonly clock: Pick<Clock, 'now'>;
}

type EventKind = 'refusal' | 'notice';

/**
 * Records refusals and notices as decisions when their events are published: cloud providers publish some of these
 * events and have no access to the decision log (ADR 0049). Every pass publishes the same events again; repeats are
 * counted and not recorded.
 */
export class EventDecisions implements EventRecorder {
  readonly #recorder: EventRecorder;
  readonly #decisions: RepeatedDecisions;
  readonly #kinds: ReadonlyMap<EventDefinition, EventKind>;

  constructor({ recorder, decisions, clock, refusals, notices }: EventDecisionsOptions) {
    this.#recorder = recorder;
    this.#decisions = new RepeatedDecisions(decisions, () => clock.now());
    this.#kinds = new Map<EventDefinition, EventKind>([
      ...refusals.map((definition) => [definition, 'refusal'] as const),
      ...notices.map((definition) => [definition, 'notice'] as const),
    ]);
  }

  publish(...events: readonly ClusterEvent[]): void {
    for (const event of events) {
      const kind = this.#kinds.get(event.definition);
      if (kind !== undefined) this.#record(kind, event);
    }
    this.#recorder.publish(...events);
  }

  flush(): Promise<void> {
    return this.#recorder.flush();
  }

  #record(
    kind: EventKind,
    { definition: { reason, objects }, kind: { kind: objectKind }, object, message }: ClusterEvent,
  ): void {
    // Such an event is published on both the Node and its NodeClaim. It is recorded once, from the NodeClaim, whose
    // status has the name of the Node.
    if (objectKind === 'Node' && objects.includes('NodeClaim')) return;
    const { name = '', uid = name } = object.metadata ?? {};
    const draft = () => draftOf(kind, { object: objectName(objectKind, object), reason, message });
    this.#decisions.record(`${uid} ${reason} ${message}`, draft);
  }
}

interface EventFacts {
  readonly object: ObjectName;
  readonly reason: string;
  readonly message: string;
}

function draftOf(kind: EventKind, { object, reason, message }: EventFacts): DecisionDraft {
  const summary = shortText(`${object.kind} ${object.name}: ${message}`);
  return { kind, summary, object, reason, message: shortText(message) };
}

function objectName(kind: string, object: ClusterEvent['object']): ObjectName {
  const { name = '', namespace } = object.metadata ?? {};
  if (kind === 'NodeClaim') {
    const node = (object as NodeClaim).status?.nodeName;
    return node === undefined ? { kind, name } : { kind: 'Node', name: node };
  }
  if (kind === 'Node' || kind === 'NodePool') return { kind, name };
  return { kind: 'Pod', name, ...(namespace !== undefined && { namespace }) };
}
