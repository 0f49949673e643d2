import { parseTimestamp } from '@karpenter/core/api';
import { isJsonArray, type Json, member } from '@karpenter/core/schema';
import type { Instant } from '@karpenter/kube/runtime';
import { interruptionKinds } from '../names/index.ts';

export type InterruptionKind = (typeof interruptionKinds)[keyof typeof interruptionKinds];

/** What a message on the queue says; of kind `no_op`, that it says nothing that matters. */
export interface InterruptionMessage {
  readonly kind: InterruptionKind;
  /** Given by EventBridge: a message that was delivered twice has it twice. Empty if there is none. */
  readonly id: string;
  readonly instanceIds: readonly string[];
  /** When it happened; unknown for messages that are ignored for what they say. */
  readonly at?: Instant;
}

/** A body that cannot be understood, and why. */
export interface MalformedMessage {
  readonly malformed: string;
}

/** The part of a message that depends on its type; nothing if it is to be ignored. */
type DetailReader = (
  detail: Json | undefined,
) => Pick<InterruptionMessage, 'kind' | 'instanceIds'> | undefined;

const readers: ReadonlyMap<string, DetailReader> = new Map([
  [
    typeOf('aws.ec2', 'EC2 Spot Instance Interruption Warning'),
    ofInstance(interruptionKinds.spotInterrupted),
  ],
  [
    typeOf('aws.ec2', 'EC2 Instance Rebalance Recommendation'),
    ofInstance(interruptionKinds.rebalanceRecommendation),
  ],
  [
    typeOf('aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning'),
    ofInstance(interruptionKinds.capacityReservationInterrupted),
  ],
  [typeOf('aws.ec2', 'EC2 Instance State-change Notification'), stateChange],
  [typeOf('aws.health', 'AWS Health Event'), healthEvent],
]);

const knownVersion = '0';

class Malformed extends Error {}

/** Reads the body of a message of EventBridge. Types that nobody asked for are no mistake. */
export function parseMessage(body: string | undefined): InterruptionMessage | MalformedMessage {
  if (body === undefined) return { malformed: 'the message has no body' };
  if (body === '') return { kind: interruptionKinds.noOp, id: '', instanceIds: [] };
  try {
    return read(JSON.parse(body));
  } catch (error) {
    if (error instanceof SyntaxError) return { malformed: 'the body is not JSON' };
    if (error instanceof Malformed) return { malformed: error.message };
    throw error;
  }
}

function read(envelope: Json): InterruptionMessage {
  if (typeof envelope !== 'object' || envelope === null || isJsonArray(envelope)) {
    throw new Malformed('the body is not an object');
  }
  const id = text(envelope, 'id') ?? '';
  const at = time(envelope);
  const type = typeOf(text(envelope, 'source') ?? '', text(envelope, 'detail-type') ?? '');
  const reader = text(envelope, 'version') === knownVersion ? readers.get(type) : undefined;
  const dated = at === undefined ? {} : { at };
  if (reader === undefined) return { kind: interruptionKinds.noOp, id, instanceIds: [], ...dated };
  const found = reader(member(envelope, 'detail'));
  return found === undefined
    ? { kind: interruptionKinds.noOp, id, instanceIds: [] }
    : { ...found, id, ...dated };
}

function typeOf(source: string, detailType: string): string {
  return `${source}/${detailType}`;
}

function ofInstance(kind: InterruptionKind): DetailReader {
  return (detail) => ({ kind, instanceIds: [instanceIdOf(detail)] });
}

const endingStates: ReadonlySet<string> = new Set(['stopping', 'stopped', 'shutting-down', 'terminated']);

/** Spelling is forgiven, except where stopping is told from terminating, as in Karpenter. */
function stateChange(detail: Json | undefined): ReturnType<DetailReader> {
  const instanceId = instanceIdOf(detail);
  const state = text(detail, 'state') ?? '';
  if (!endingStates.has(state.toLowerCase())) return undefined;
  const isStopped = state === 'stopping' || state === 'stopped';
  const kind = isStopped ? interruptionKinds.instanceStopped : interruptionKinds.instanceTerminated;
  return { kind, instanceIds: [instanceId] };
}

function healthEvent(detail: Json | undefined): ReturnType<DetailReader> {
  const isScheduledChange =
    text(detail, 'service') === 'EC2' && text(detail, 'eventTypeCategory') === 'scheduledChange';
  const entities = member(detail, 'affectedEntities') ?? [];
  if (!isJsonArray(entities)) throw new Malformed('affectedEntities is not a list');
  const instanceIds = entities.flatMap((entity) => text(entity, 'entityValue') ?? []);
  return isScheduledChange ? { kind: interruptionKinds.scheduledChange, instanceIds } : undefined;
}

function instanceIdOf(detail: Json | undefined): string {
  const id = text(detail, 'instance-id');
  if (id === undefined || id === '') throw new Malformed('instance-id is missing');
  return id;
}

function time(envelope: Json): Instant | undefined {
  const written = text(envelope, 'time');
  if (written === undefined) return undefined;
  const moment = parseTimestamp(written);
  if (moment === undefined) throw new Malformed('time is not a time');
  return moment.epochSeconds * 1000 + moment.nanoseconds / 1e6;
}

function text(object: Json | undefined, name: string): string | undefined {
  const value = member(object, name);
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw new Malformed(`${name} is not a text`);
}
