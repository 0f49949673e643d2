import type { PageNode, PagePod } from '@karpenter/core/page-api';
import type { ClusterRows, StoreChanges } from '../../store/index.ts';
import { BoxIndex, layoutMap, type MapLayout, type Rectangle } from '../layout/index.ts';
import { groupNameOf } from './group-names.ts';
import { NodeBox } from './node-box.ts';
import { PendingArea } from './pending-area.ts';

/** What the map is drawn into. Coordinates of nodes begin at `origin`, those of pending pods at 0, 0. */
export interface SceneView {
  readonly width: number;
  readonly height: number;
  readonly groupBy: string;
  /** Without motion where people asked for less of it. */
  readonly isMoving: boolean;
}

/** A pod on its way from the pending pods to its node, or one that fades away. */
export interface Flight {
  readonly pod: PagePod;
  readonly box: NodeBox;
  readonly from: Rectangle;
  readonly startedAt: number;
  readonly endsAt: number;
}

/** What a frame has to draw again. */
export interface FrameWork {
  readonly isFull: boolean;
  readonly boxes: ReadonlySet<NodeBox>;
  readonly isPendingDirty: boolean;
}

/** An object under the pointer or the cursor. */
export interface MapTarget {
  readonly node?: PageNode;
  readonly pod?: PagePod;
}

const layoutMs = 420;
const tileMs = 320;
const flightMs = 650;
const bornMs = 300;
/** More than this at once is noise rather than information. */
const maxFlights = 120;
const usualCores = 4;
/** Below this scale tiles are a few pixels large: nobody sees them slide, and drawing them in every frame is slow. */
const smallestMovingScale = 16;

/** The state of the map: where everything is now and where it goes. It draws nothing. */
export class MapScene {
  readonly boxes = new Map<string, NodeBox>();
  readonly pending = new PendingArea();
  layout: MapLayout = { scale: 1, height: 0, groups: [], boxes: new Map() };
  origin: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  flights: readonly Flight[] = [];
  readonly #rows: ClusterRows;
  readonly #changes: StoreChanges;
  /** Boxes to draw in every frame until a time. */
  readonly #moving = new Map<NodeBox, number>();
  #view: SceneView | undefined;
  #index = new BoxIndex(new Map());
  #isLayoutDirty = true;
  #fullUntil = 0;

  constructor(rows: ClusterRows, changes: StoreChanges) {
    this.#rows = rows;
    this.#changes = changes;
  }

  setView(view: SceneView): void {
    this.#view = view;
    const isNarrow = view.width < 620;
    const side = isNarrow ? view.width : 150;
    this.pending.rectangle = { x: 0, y: 0, width: side, height: isNarrow ? 92 : view.height };
    this.origin = isNarrow
      ? { x: 0, y: 104, width: view.width, height: view.height - 104 }
      : { x: side + 14, y: 0, width: view.width - side - 14, height: view.height };
    this.#isLayoutDirty = true;
  }

  /** Applies what changed in the store and says what to draw at this time. */
  advance(now: number): FrameWork {
    const view = this.#view;
    if (view === undefined) return { isFull: false, boxes: new Set(), isPendingDirty: false };
    const isFirst = this.#changes.isReset;
    const isMoving = view.isMoving && !isFirst;
    const touched = new Set<NodeBox>();
    const isPendingDirty = this.#changes.isPendingChanged || this.#isLayoutDirty || isFirst;
    const flying = this.#cellsOfBound();
    if (this.#isLayoutDirty || isFirst || this.#needsLayout()) this.#layOut(now, isMoving);
    this.#placeTouched(touched, now, isMoving);
    if (isPendingDirty) this.pending.place(this.#rows.pending, now, isMoving ? tileMs : 0);
    if (isMoving) this.#startFlights(flying, now);
    this.#changes.clear();
    return this.#work(touched, now, isPendingDirty);
  }

  /** In coordinates of the canvas, with the map scrolled by `scrollTop`. */
  targetAt(x: number, y: number, scrollTop: number): MapTarget | undefined {
    const waiting = this.pending.podAt(x, y);
    if (waiting !== undefined) return { pod: waiting };
    if (x < this.origin.x || y < this.origin.y) return undefined;
    const [mapX, mapY] = [x - this.origin.x, y - this.origin.y + scrollTop];
    const box = this.boxes.get(this.#index.at(mapX, mapY) ?? '');
    if (box === undefined) return undefined;
    const pod = box.podAt(mapX, mapY);
    return { node: box.node, ...(pod !== undefined && { pod }) };
  }

  #needsLayout(): boolean {
    for (const id of this.#changes.nodes) {
      const before = this.boxes.get(id)?.node;
      const after = this.#rows.nodes.get(id);
      if (before === undefined || after === undefined) return true;
      if (coresOf(before) !== coresOf(after) || this.#groupOf(before) !== this.#groupOf(after)) return true;
    }
    return false;
  }

  #groupOf(node: PageNode): string {
    return groupNameOf(node, this.#view?.groupBy ?? 'none');
  }

  #layOut(now: number, isMoving: boolean): void {
    const nodes = [...this.#rows.nodes.values()].map((node) => ({
      id: node.id,
      cores: coresOf(node),
      createdAt: node.createdAt,
      group: this.#groupOf(node),
    }));
    this.layout = layoutMap(nodes, this.origin);
    this.#index = new BoxIndex(this.layout.boxes);
    for (const id of this.boxes.keys()) if (!this.layout.boxes.has(id)) this.boxes.delete(id);
    for (const [id, at] of this.layout.boxes) this.#placeBox(id, at, { now, isMoving });
    this.#isLayoutDirty = false;
    this.#fullUntil = isMoving ? now + layoutMs : now;
  }

  #placeBox(id: string, at: Rectangle, { now, isMoving }: { now: number; isMoving: boolean }): void {
    const node = this.#rows.nodes.get(id);
    if (node === undefined) return;
    const box = this.boxes.get(id) ?? new NodeBox(node, at, isMoving ? now : 0);
    const isResized = box.motion.target.width !== at.width || box.motion.target.height !== at.height;
    box.node = node;
    box.motion.moveTo(at, now, isMoving ? layoutMs : 0);
    if (isResized || !this.boxes.has(id)) box.place(this.#rows.podsOf(node), now, 0);
    this.boxes.set(id, box);
  }

  #placeTouched(touched: Set<NodeBox>, now: number, isMoving: boolean): void {
    const ids = new Set(this.#changes.nodes);
    for (const name of this.#changes.podsOf) {
      const id = this.#rows.nodeNamed(name)?.id;
      if (id !== undefined) ids.add(id);
    }
    for (const id of ids) {
      const box = this.boxes.get(id);
      const node = this.#rows.nodes.get(id);
      if (box === undefined || node === undefined) continue;
      box.node = node;
      const isSliding = isMoving && this.layout.scale >= smallestMovingScale;
      box.place(this.#rows.podsOf(node), now, isSliding ? tileMs : 0);
      touched.add(box);
      if (isSliding) this.#moving.set(box, now + tileMs);
    }
  }

  #cellsOfBound(): ReadonlyMap<string, Rectangle> {
    const cells = new Map<string, Rectangle>();
    for (const uid of this.#changes.bound) {
      const at = this.pending.cells.get(uid)?.motion.target;
      if (at !== undefined) cells.set(uid, at);
    }
    return cells;
  }

  #startFlights(cells: ReadonlyMap<string, Rectangle>, now: number): void {
    const flights = [...this.flights];
    for (const [uid, from] of cells) {
      const pod = this.#rows.pods.get(uid);
      const box = this.boxes.get(this.#rows.nodeNamed(pod?.nodeName ?? '')?.id ?? '');
      const tile = box?.tiles.get(uid);
      if (pod === undefined || box === undefined || tile === undefined || flights.length >= maxFlights)
        continue;
      tile.hiddenUntil = now + flightMs;
      flights.push({ pod, box, from, startedAt: now, endsAt: now + flightMs });
    }
    this.flights = flights;
  }

  #work(touched: Set<NodeBox>, now: number, isPendingDirty: boolean): FrameWork {
    for (const [box, endsAt] of this.#moving) {
      touched.add(box);
      if (endsAt <= now) this.#moving.delete(box);
    }
    // Where a pod has arrived, the box is drawn once more, now with it.
    for (const { box, endsAt } of this.flights) if (endsAt <= now) touched.add(box);
    const isFull = this.#fullUntil >= now;
    if (isFull && this.#fullUntil <= now) this.#fullUntil = -1;
    this.flights = this.flights.filter(({ endsAt }) => endsAt > now);
    return { isFull, boxes: touched, isPendingDirty: isPendingDirty || this.pending.endsAt >= now };
  }
}

/** 0 to 1 while something that just appeared grows to its size. */
export function grownShare(bornAt: number, now: number): number {
  return bornAt === 0 ? 1 : Math.min(1, (now - bornAt) / bornMs);
}

/** A NodeClaim without an instance has no capacity yet. */
function coresOf({ capacity, allocatable }: PageNode): number {
  const cores = capacity['cpu'] ?? allocatable['cpu'] ?? 0;
  return cores > 0 ? cores : usualCores;
}
