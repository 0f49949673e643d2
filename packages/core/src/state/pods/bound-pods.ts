import type { QuantityTexts } from '../../values/index.ts';
import { OrderedMap } from '../collections/ordered-map.ts';
import { ResourceTotal } from '../pools/resource-total.ts';
import type { PodState } from './pod-state.ts';

/**
 * The pods bound to a node name, whether or not the Node is known yet: a pod may be listed before its node.
 */
export class BoundPods {
  readonly #pods = new OrderedMap<PodState>();
  readonly #requests = new ResourceTotal();
  readonly #daemonRequests = new ResourceTotal();

  get pods(): readonly PodState[] {
    return this.#pods.values();
  }

  get isEmpty(): boolean {
    return this.#pods.size === 0;
  }

  get podRequests(): QuantityTexts {
    return this.#requests.texts();
  }

  get daemonRequests(): QuantityTexts {
    return this.#daemonRequests.texts();
  }

  put(pod: PodState): void {
    const known = this.#pods.get(pod.key);
    if (known !== undefined) this.#count(known, 'subtract');
    this.#pods.set(pod.key, pod);
    this.#count(pod, 'add');
  }

  remove(key: string): void {
    const known = this.#pods.get(key);
    if (known === undefined) return;
    this.#pods.delete(key);
    this.#count(known, 'subtract');
  }

  #count({ requests, isDaemon }: PodState, change: 'add' | 'subtract'): void {
    this.#requests[change](requests);
    if (isDaemon) this.#daemonRequests[change](requests);
  }
}
