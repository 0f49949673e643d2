import type { NodeTemplate } from './node-template.ts';
import { signatureOf } from './offer-mask.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PodClass } from './pod-class.ts';

/**
 * How many pods of a class a pool can take, where packing has found out. Placement does not know how machines
 * will be filled; when limits or reservations turn out too small, it is repeated with what was learnt.
 */
export class PoolQuotas {
  readonly #most = new Map<string, number>();
  readonly #mostReserved = new Map<string, number>();

  /** Unlimited until packing says otherwise. */
  of(template: NodeTemplate, podClass: PodClass): number {
    return this.#most.get(name(template, podClass)) ?? Number.POSITIVE_INFINITY;
  }

  set(template: NodeTemplate, podClass: PodClass, most: number): void {
    this.#most.set(name(template, podClass), most);
  }

  /** Whether capacity reservations have run out anywhere. */
  get hasReserved(): boolean {
    return this.#mostReserved.size > 0;
  }

  /** How many may go to nodes like these, on which they depend on capacity reservations. */
  ofReserved(like: string): number {
    return this.#mostReserved.get(like) ?? Number.POSITIVE_INFINITY;
  }

  setReserved(like: string, most: number): void {
    this.#mostReserved.set(like, most);
  }
}

/** Classes of equal snapshots have equal indexes. */
function name(template: NodeTemplate, { index }: PodClass): string {
  return `${template.name}/${index}`;
}

/**
 * A name for pods of a class on new nodes of one pool that ask for the same. Label keys and values are numbered
 * anew in each attempt, in the same order.
 */
export function likeNodes(
  { template, requirements }: Pick<PlacementItem, 'template' | 'requirements'>,
  podClass: PodClass,
): string {
  return `${name(template, podClass)}/${signatureOf(requirements)}`;
}
