import type { Instant } from '@karpenter/kube/runtime';
import { timestamp } from '../objects/timestamp.ts';

/** Whether writing `next` over `current` would change anything. */
export function isSameStatus(current: object | undefined, next: object): boolean {
  const known = new Map<string, unknown>(Object.entries(current ?? {}));
  return Object.entries(next).every(([field, value]) => isSame(known.get(field), value));
}

/** A count of zero may be left out. */
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

/** A condition as some object has it. */
interface KnownCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

export interface StampedCondition extends ConditionText {
  readonly lastTransitionTime: string;
}

/** The condition with the time of its last change: kept while its status is the same. */
export function stamped(
  known: readonly KnownCondition[] | undefined,
  next: ConditionText,
  now: Instant,
): StampedCondition {
  const before = known?.find(({ type }) => type === next.type);
  const kept = before?.status === next.status ? before.lastTransitionTime : undefined;
  return { ...next, lastTransitionTime: kept ?? timestamp(now) };
}
