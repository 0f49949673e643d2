import type { Json } from '@karpenter/core/schema';
import { textAt } from '../kinds/draft.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

interface Step {
  readonly below: number;
  readonly unit: number;
  readonly name: string;
  /** The next smaller unit; omitted if it is zero. */
  readonly fine?: { readonly unit: number; readonly name: string };
}

/** The precision by age: two units while the larger one is a small number. */
const steps: readonly Step[] = [
  { below: 2 * minute, unit: second, name: 's' },
  { below: 10 * minute, unit: minute, name: 'm', fine: { unit: second, name: 's' } },
  { below: 3 * hour, unit: minute, name: 'm' },
  { below: 8 * hour, unit: hour, name: 'h', fine: { unit: minute, name: 'm' } },
  { below: 2 * day, unit: hour, name: 'h' },
  { below: 8 * day, unit: day, name: 'd', fine: { unit: hour, name: 'h' } },
  { below: 2 * year, unit: day, name: 'd' },
  { below: 8 * year, unit: year, name: 'y', fine: { unit: day, name: 'd' } },
  { below: Number.POSITIVE_INFINITY, unit: year, name: 'y' },
];

/** A duration in the format of kubectl: `59s`, `3m20s`, `5d`, `2y31d`. */
export function humanDuration(ms: number): string {
  if (ms <= -2 * second) return '<invalid>';
  if (ms < 0) return '0s';
  const step = steps.find(({ below }) => ms < below);
  if (!step) return '<unknown>';
  const whole = `${Math.floor(ms / step.unit)}${step.name}`;
  if (!step.fine) return whole;
  const rest = Math.floor((ms % step.unit) / step.fine.unit);
  return rest === 0 ? whole : `${whole}${rest}${step.fine.name}`;
}

/** The time since a timestamp. */
export function since(time: string, nowMs: number): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? '<unknown>' : humanDuration(nowMs - at);
}

export function ageCell(object: Json, nowMs: number): string {
  return since(textAt(object, 'metadata', 'creationTimestamp'), nowMs);
}
