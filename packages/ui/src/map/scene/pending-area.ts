import type { PagePod } from '@karpenter/core/page-api';
import { isInside, pendingCells, type Rectangle } from '../layout/index.ts';
import { Motion } from './motion.ts';

interface PendingCell {
  pod: PagePod;
  readonly motion: Motion;
}

export const pendingTitleHeight = 26;
const maxSliding = 30;

/** The pods that wait for a node, at the side of the map. */
export class PendingArea {
  readonly cells = new Map<string, PendingCell>();
  rectangle: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  hidden = 0;
  total = 0;
  endsAt = 0;

  /** Many pods do not slide: at the ends of lines they would cross each other. */
  place(pods: ReadonlyMap<string, PagePod>, now: number, slideMs: number): void {
    const durationMs = pods.size > maxSliding ? 0 : slideMs;
    const { cells, hidden } = pendingCells([...pods.keys()], this.#room());
    this.hidden = hidden;
    this.total = pods.size;
    for (const uid of this.cells.keys()) if (!cells.has(uid)) this.cells.delete(uid);
    for (const [uid, at] of cells) {
      const pod = pods.get(uid);
      if (pod !== undefined) this.#setCell(pod, at, { now, durationMs });
    }
  }

  podAt(x: number, y: number): PagePod | undefined {
    for (const { pod, motion } of this.cells.values()) if (isInside(motion.target, x, y)) return pod;
    return undefined;
  }

  #room(): Rectangle {
    const { x, y, width, height } = this.rectangle;
    const below = pendingTitleHeight + 4;
    return { x: x + 10, y: y + below, width: width - 18, height: height - below - 10 };
  }

  #setCell(pod: PagePod, at: Rectangle, { now, durationMs }: { now: number; durationMs: number }): void {
    const cell = this.cells.get(pod.uid);
    if (cell === undefined) this.cells.set(pod.uid, { pod, motion: new Motion(at) });
    else {
      cell.pod = pod;
      if (cell.motion.moveTo(at, now, durationMs)) this.endsAt = Math.max(this.endsAt, cell.motion.endsAt);
    }
  }
}
