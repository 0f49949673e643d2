import type { NodeTemplate } from './node-template.ts';
import type { PodClass } from './pod-class.ts';

/**
 * How many pods of a class a pool can take within its limits, where packing has found out. Placement does not
 * know how machines will be filled; when a pool turns out too small, it is repeated with what was learnt.
 */
export class PoolQuotas {
  readonly #most = new Map<string, number>();

  /** Unlimited until packing says otherwise. */
  of(template: NodeTemplate, podClass: PodClass): number {
    return this.#most.get(this.name(template, podClass)) ?? Number.POSITIVE_INFINITY;
  }

  set(template: NodeTemplate, podClass: PodClass, most: number): void {
    this.#most.set(this.name(template, podClass), most);
  }

  /** Classes of equal snapshots have equal indexes. */
  name(template: NodeTemplate, { index }: PodClass): string {
    return `${template.name}/${index}`;
  }
}
