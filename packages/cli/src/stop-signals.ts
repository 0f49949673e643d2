import { once } from 'node:events';

/**
 * Resolves on SIGINT or SIGTERM. Each listener fires once, so a second Ctrl-C gets Node's default handling and ends
 * the process at once, even while the first one still shuts things down.
 */
export function stopSignal(): Promise<unknown> {
  return Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal)));
}
