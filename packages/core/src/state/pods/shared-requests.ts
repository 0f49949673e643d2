import type { ResourceList } from '../../values/index.ts';

/** With more sizes the map is cleared, so that sizes of pods that are gone are not kept. */
const maxSizes = 1_000;

/**
 * Keeps one list for all pods with the same requests: a cluster may have 200,000 pods, of a few sizes, and separate
 * lists would take 200 bytes per pod.
 */
export class SharedRequests {
  readonly #known = new Map<string, ResourceList>();

  of(requests: ResourceList): ResourceList {
    const text = textOf(requests);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size === maxSizes) this.#known.clear();
    this.#known.set(text, requests);
    return requests;
  }
}

function textOf(requests: ResourceList): string {
  return Object.entries(requests)
    .map(([name, { nano, format }]) => `${name}=${nano} ${format}`)
    .join(',');
}
