import type { PodRow } from './pod-row.ts';

/** Pods by the name of their Node. The Node may be unknown still: watches of different kinds are not ordered. */
export class PodsByNode {
  readonly #pods = new Map<string, Map<string, PodRow>>();

  /** Puts a pod in the place of what it was before and returns the names of the nodes whose pods changed. */
  replace(before: PodRow | undefined, after: PodRow | undefined): ReadonlySet<string> {
    const touched = new Set<string>();
    if (before?.nodeName !== undefined) {
      this.#pods.get(before.nodeName)?.delete(before.uid);
      touched.add(before.nodeName);
    }
    if (after?.nodeName !== undefined) {
      const pods = this.#pods.get(after.nodeName) ?? new Map<string, PodRow>();
      pods.set(after.uid, after);
      this.#pods.set(after.nodeName, pods);
      touched.add(after.nodeName);
    }
    return touched;
  }

  of(nodeName: string | undefined): readonly PodRow[] {
    return nodeName === undefined ? [] : [...(this.#pods.get(nodeName)?.values() ?? [])];
  }
}
