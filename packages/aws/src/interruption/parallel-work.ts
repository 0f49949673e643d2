import { throwFailures } from '../aws-errors/index.ts';

/**
 * Processes all items with bounded concurrency, then throws
 * the failures. One failure does not stop the others.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  throwFailures(failures);
}
