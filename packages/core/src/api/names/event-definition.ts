import type { DurationMs } from '../../values/index.ts';
import { minutes } from './time-spans.ts';

/** What an event tells apart from an earlier one with the same reason; equal ones within the window are dropped. */
export type EventKeyPart =
  | 'uid'
  | 'name'
  /** Which of several objects it is about that are not the one it is written on. */
  | 'about'
  | 'disruption-reason'
  | 'command'
  | 'message'
  | 'time';

/** An event as a catalogue entry; the controllers that publish it write the message. */
export interface EventDefinition {
  /** Empty for the few events that the reference writes without one. */
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  /** Kinds of the objects that it is written on. */
  readonly objects: readonly string[];
  readonly dedupeWindow: DurationMs;
  readonly dedupeKey: readonly EventKeyPart[];
  /** For all events of the reason together, whatever the object. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
}

/** Source and reporting component of every event. */
export const eventComponent = 'karpenter';

export const defaultDedupeWindow = minutes(2);

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
