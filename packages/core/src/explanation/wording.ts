import { formatQuantity, quantityFromInteger } from '../values/index.ts';
import type { Finding } from './explanation.ts';

export function blocked(text: string, more: Partial<Finding> = {}): Finding {
  return { text, verdict: 'blocked', ...more };
}

export function met(text: string, more: Partial<Finding> = {}): Finding {
  return { text, verdict: 'met', ...more };
}

export function fact(text: string, more: Partial<Finding> = {}): Finding {
  return { text, verdict: 'fact', ...more };
}

export function counted(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}

export function dollars(hourly: number): string {
  return `$${hourly.toFixed(4)}/h`;
}

const bytes = /^(memory|ephemeral-storage|storage|hugepages-.*)$/;

/** An amount in cores, bytes or pieces, with its resource; bytes to the MiB. */
export function amountText(resource: string, amount: number): string {
  return `${figure(resource, amount)} ${resource}`;
}

function figure(resource: string, amount: number): string {
  if (!bytes.test(resource)) return String(Math.round(amount * 1000) / 1000);
  const mebibytes = BigInt(Math.floor(amount / 2 ** 20));
  return formatQuantity(quantityFromInteger(mebibytes * 2n ** 20n, 'BinarySI'));
}

/** A few names and how many more there are. */
export function listed(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
