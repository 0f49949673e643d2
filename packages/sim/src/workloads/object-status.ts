import type { Instant } from '@karpenter/kube/runtime';
import { timestamp } from '../objects/timestamp.ts';

/** Whether merging `next` into `current` would change nothing, so that the write can be skipped. */
export function isSameStatus(current: object | undefined, next: object): boolean {
  const known = new Map<string, unknown>(Object.entries(current ?? {}));
  return Object.entries(next).every(([field, value]) => isSame(known.get(field), value));
}

/** An absent field equals 0 or an empty list: the API server omits them. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? emptyOf(b)) === JSON.stringify(b);
}

function emptyOf(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  return Array.isArray(value) ? [] : undefined;
}

export interface ConditionText {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The fields of an existing condition that matter here. */
interface KnownCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

export interface StampedCondition extends ConditionText {
  readonly lastTransitionTime: string;
}

/** The condition with lastTransitionTime, which stays the same while the status does. */
export function stamped(
  known: readonly KnownCondition[] | undefined,
  next: ConditionText,
  now: Instant,
): StampedCondition {
  const before = known?.find(({ type }) => type === next.type);
  const kept = before?.status === next.status ? before.lastTransitionTime : undefined;
  return { ...next, lastTransitionTime: kept ?? timestamp(now) };
}
