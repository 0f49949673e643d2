import { formatQuantity, quantityFromInteger, quantityFromMilli } from '@karpenter/core/values';

const binaryResources = /^(memory|ephemeral-storage|hugepages-.*)$/;

/** An amount in Kubernetes notation: `2975m`, `7Gi`. */
export function quantityText(resource: string, amount: number): string {
  if (binaryResources.test(resource))
    return formatQuantity(quantityFromInteger(Math.round(amount), 'BinarySI'));
  return formatQuantity(quantityFromMilli(Math.round(amount * 1000)));
}

/** Undefined where nothing is allocatable. */
export function usageOf({ requested, allocatable }: UsedAmounts, resource: string): number | undefined {
  const most = allocatable[resource] ?? 0;
  return most > 0 ? (requested[resource] ?? 0) / most : undefined;
}

export interface UsedAmounts {
  readonly requested: Readonly<Record<string, number>>;
  readonly allocatable: Readonly<Record<string, number>>;
}

/** Whole percent. */
export function percentText(usage: number | undefined): string {
  return usage === undefined ? 'N/A' : `${Math.floor(usage * 100)}%`;
}

const formats = new Map<number, Intl.NumberFormat>();

/** Dollars with English thousands separators; `~` marks an estimate. */
export function moneyText(dollars: number, decimals: number, isEstimated = false): string {
  const format =
    formats.get(decimals) ??
    new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, format);
  return `${isEstimated ? '~' : ''}$${format.format(dollars)}`;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** An age as kubectl prints it. */
export function ageText(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  const whole = (unit: number) => Math.floor(age / unit);
  if (age < 2 * minute) return `${whole(second)}s`;
  if (age < 10 * minute) return both(`${whole(minute)}m`, whole(second) % 60, 's');
  if (age < 3 * hour) return `${whole(minute)}m`;
  if (age < 8 * hour) return both(`${whole(hour)}h`, whole(minute) % 60, 'm');
  if (age < 2 * day) return `${whole(hour)}h`;
  if (age < 8 * day) return both(`${whole(day)}d`, whole(hour) % 24, 'h');
  if (age < 2 * 365 * day) return `${whole(day)}d`;
  return both(`${Math.floor(whole(day) / 365)}y`, whole(day) % 365, 'd');
}

function both(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first}${rest}${unit}`;
}
