import { isConflict, type Kind, type KubeClient, type KubeObject } from '../client/index.ts';
import type { BundlePublisher } from './certificate-keeper.ts';

/** Returns the object with the CA bundle set; undefined if it needs no change. */
export type BundleEdit<T> = (present: T, caBundle: string) => T | undefined;

/** An object through which API servers find a webhook. */
interface BundleTarget<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'find' | 'replace'>;
  readonly kind: Kind<T>;
  readonly name: string;
  readonly withBundle: BundleEdit<T>;
}

/** Writes the CA bundle into these objects. One that does not exist needs no bundle. */
export function publishedIn<T extends KubeObject>(targets: readonly BundleTarget<T>[]): BundlePublisher {
  return allOf(targets.map((target) => (caBundle) => publish(target, caBundle)));
}

/** Publishes in all places. Rejects if one of them fails, after the others were written. */
export function allOf(publishers: readonly BundlePublisher[]): BundlePublisher {
  return async (caBundle) => {
    const results = await Promise.allSettled(publishers.map((publish) => publish(caBundle)));
    const outcomes = results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    return outcomes.includes('written') ? 'written' : 'unchanged';
  };
}

/** Retries conflicts without limit: they come from other replicas, which publish the same bundle. */
async function publish<T extends KubeObject>(
  { client, kind, name, withBundle }: BundleTarget<T>,
  caBundle: string,
): Promise<'unchanged' | 'written'> {
  for (;;) {
    const present = await client.find(kind, { name });
    const changed = present && withBundle(present, caBundle);
    if (changed === undefined) return 'unchanged';
    try {
      await client.replace(kind, changed);
      return 'written';
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
