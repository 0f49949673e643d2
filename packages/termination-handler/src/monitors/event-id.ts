import { createHash } from 'node:crypto';

/**
 * An ID that depends on the content of the notice alone. A clock in it would make every poll a new event.
 */
export function eventId(prefix: string, ...content: readonly string[]): string {
  return `${prefix}-${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;
}
