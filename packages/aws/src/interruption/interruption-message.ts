import { parseTimestamp } from '@karpenter/core/api';
import { isJsonArray, type Json, member } from '@karpenter/core/schema';
import type { Instant } from '@karpenter/kube/runtime';
import { interruptionKinds } from '../names/index.ts';

export type InterruptionKind = (typeof interruptionKinds)[keyof typeof interruptionKinds];

/** A parsed message of the queue. Kind `no_op` means that it needs no action. */
export interface InterruptionMessage {
  readonly kind: InterruptionKind;
  /** Id from EventBridge, equal for repeated deliveries of a message. Empty if there is none. */
  readonly id: string;
  readonly instanceIds: readonly string[];
  /** Time of the event; absent for messages that are ignored because of their content. */
  readonly at?: Instant;
}

/** Why a message cannot be parsed. */
export interface MalformedMessage {
  readonly malformed: string;
}

/** Reads the `detail` of a message type; undefined if the message needs no action. */
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

/** Parses the body of an EventBridge message. Never throws; unknown types become `no_op`. */
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
  const timestamp = at === undefined ? {} : { at };
  if (reader === undefined) return { kind: interruptionKinds.noOp, id, instanceIds: [], ...timestamp };
  const found = reader(member(envelope, 'detail'));
  return found === undefined
    ? { kind: interruptionKinds.noOp, id, instanceIds: [] }
    : { ...found, id, ...timestamp };
}

function typeOf(source: string, detailType: string): string {
  return `${source}/${detailType}`;
}

function ofInstance(kind: InterruptionKind): DetailReader {
  return (detail) => ({ kind, instanceIds: [instanceIdOf(detail)] });
}

const endingStates: ReadonlySet<string> = new Set(['stopping', 'stopped', 'shutting-down', 'terminated']);

/** Ignores case in the state, except to distinguish stopping from terminating, as in Karpenter. */
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
