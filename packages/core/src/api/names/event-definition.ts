import type { DurationMs } from '../../values/index.ts';
import { minutes } from './time-spans.ts';

/** What distinguishes events of one reason; equal ones within the dedupe window are dropped. */
export type EventKeyPart =
  | 'uid'
  | 'name'
  /** The object the event is about, if it is not the one it is published on. */
  | 'about'
  | 'disruption-reason'
  | 'command'
  | 'message'
  | 'time';

/** A catalogue entry for an event; the controllers that publish it write the message. */
export interface EventDefinition {
  /** Empty for the few events that Karpenter publishes without a reason. */
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  /** Kinds of the objects that it is published on. */
  readonly objects: readonly string[];
  readonly dedupeWindow: DurationMs;
  readonly dedupeKey: readonly EventKeyPart[];
  /** For all events of the reason together, whatever the object. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
}

/** Source and reporting component of every event. */
export const eventComponent = 'karpenter';

const defaultDedupeWindow = minutes(2);

type Options = Partial<Pick<EventDefinition, 'dedupeWindow' | 'dedupeKey' | 'rateLimit'>>;

export function normalEvent(
  reason: string,
  objects: readonly string[],
  options: Options = {},
): EventDefinition {
  return { reason, type: 'Normal', objects, ...defaults, ...options };
}

export function warningEvent(
  reason: string,
  objects: readonly string[],
  options: Options = {},
): EventDefinition {
  return { reason, type: 'Warning', objects, ...defaults, ...options };
}

const defaults = { dedupeWindow: defaultDedupeWindow, dedupeKey: ['uid'] } as const;
