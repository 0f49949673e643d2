import { parseQuantity, toMilli } from '@karpenter/core/values';

const resources = ['cpu', 'memory'];
const milli = (text) => Number(toMilli(parseQuantity(text, 'quantity')));
const amountsOf = (texts) => resources.map((name) => milli(texts[name]));

/** What is left of nodes, by what their pods request: as the kube-scheduler counts, and not by whole slots. */
export class NodeRoom {
  #left = new Map();
  #places = new Map();

  addNode(name, allocatable) {
    if (!this.#left.has(name)) this.#left.set(name, amountsOf(allocatable));
  }

  removeNode(name) {
    this.#left.delete(name);
  }

  /** Takes room for a pod and returns the name of the node; undefined while no node has any. */
  reserve(pod, requests) {
    const wanted = amountsOf(requests);
    for (const [node, left] of this.#left) {
      if (wanted.some((amount, index) => amount > left[index])) continue;
      this.#left.set(
        node,
        left.map((amount, index) => amount - wanted[index]),
      );
      this.#places.set(pod, { node, wanted });
      return node;
    }
    return undefined;
  }

  /** Gives back the room of a pod that is gone or could not be bound. */
  release(pod) {
    const { node, wanted } = this.#places.get(pod) ?? {};
    const left = this.#left.get(node);
    if (left !== undefined)
      this.#left.set(
        node,
        left.map((amount, index) => amount + wanted[index]),
      );
    this.#places.delete(pod);
  }
}
