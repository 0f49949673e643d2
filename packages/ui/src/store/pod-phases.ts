import type { PagePod } from '@karpenter/core/page-api';

export type PodPhaseName = PagePod['phase'];

/** In the order of the legend. */
export const podPhases: readonly PodPhaseName[] = [
  'running',
  'starting',
  'pending',
  'failing',
  'terminating',
  'succeeded',
];

/** Pods by phase, kept up to date pod by pod. */
export class PhaseCounts {
  readonly #counts = new Map<PodPhaseName, number>();

  count(phase: PodPhaseName): number {
    return this.#counts.get(phase) ?? 0;
  }

  /** Pods that have not ended. */
  get live(): number {
    return podPhases.reduce((sum, phase) => sum + (phase === 'succeeded' ? 0 : this.count(phase)), 0);
  }

  replace(before: PagePod | undefined, after: PagePod | undefined): void {
    if (before?.phase === after?.phase) return;
    if (before !== undefined) this.#counts.set(before.phase, this.count(before.phase) - 1);
    if (after !== undefined) this.#counts.set(after.phase, this.count(after.phase) + 1);
  }

  clear(): void {
    this.#counts.clear();
  }
}
