import { type ArrowKey, arrowStep } from './layout/index.ts';
import type { MapScene, MapTarget } from './scene/index.ts';

/** What a key did; undefined for keys that the map does not know. */
export interface CursorStep {
  readonly target: MapTarget;
  readonly isOpened: boolean;
}

const arrows: readonly string[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/**
 * The position of the keyboard on the map. It is on a node, or inside a node on one of its pods, or on a pod that
 * waits.
 */
export class MapCursor {
  nodeId: string | undefined;
  podUid: string | undefined;
  readonly #scene: MapScene;

  constructor(scene: MapScene) {
    this.#scene = scene;
  }

  press(key: string): CursorStep | undefined {
    if (arrows.includes(key)) return this.#move(key as ArrowKey);
    if (key === 'Enter') return this.#enter();
    if (key === 'Escape' && this.podUid !== undefined) {
      this.podUid = undefined;
      return this.#step(false);
    }
    return undefined;
  }

  get target(): MapTarget | undefined {
    const box = this.#scene.boxes.get(this.nodeId ?? '');
    const waiting = this.#scene.pending.cells.get(this.podUid ?? '')?.pod;
    if (waiting !== undefined) return { pod: waiting };
    if (box === undefined) return undefined;
    const pod = box.tiles.get(this.podUid ?? '')?.pod;
    return { node: box.node, ...(pod !== undefined && { pod }) };
  }

  #move(key: ArrowKey): CursorStep | undefined {
    if (this.target === undefined) return this.#first();
    if (this.podUid === undefined) this.#moveToNode(key);
    else this.#moveToPod(key, this.podUid);
    return this.#step(false);
  }

  #first(): CursorStep | undefined {
    const [id] = this.#scene.boxes.keys();
    this.nodeId = id;
    this.podUid = id === undefined ? this.#firstPending() : undefined;
    return this.#step(false);
  }

  #moveToNode(key: ArrowKey): void {
    const from = this.#scene.layout.boxes.get(this.nodeId ?? '');
    const next = from === undefined ? undefined : arrowStep(this.#scene.layout.boxes, from, key);
    if (next !== undefined) this.nodeId = next;
    else if (key === 'ArrowLeft') this.podUid = this.#firstPending();
    if (this.podUid !== undefined) this.nodeId = undefined;
  }

  #moveToPod(key: ArrowKey, uid: string): void {
    const places = this.#podPlaces();
    const from = places.get(uid)?.motion.target;
    const targets = [...places].map(([id, { motion }]) => [id, motion.target] as const);
    const next = from === undefined ? undefined : arrowStep(scaled(targets), scaleUp(from), key);
    if (next !== undefined) this.podUid = next;
    else if (this.nodeId === undefined && key === 'ArrowRight') this.#leavePending();
  }

  #leavePending(): void {
    this.podUid = undefined;
    this.nodeId = this.#scene.boxes.keys().next().value;
  }

  #podPlaces() {
    const box = this.#scene.boxes.get(this.nodeId ?? '');
    return box === undefined ? this.#scene.pending.cells : box.tiles;
  }

  #enter(): CursorStep | undefined {
    const box = this.#scene.boxes.get(this.nodeId ?? '');
    const isOpen = this.#openedNode === this.nodeId && this.nodeId !== undefined;
    if (this.podUid === undefined && isOpen) this.podUid = box?.tiles.keys().next().value;
    this.#openedNode = this.nodeId;
    return this.#step(true);
  }

  #openedNode: string | undefined;

  #firstPending(): string | undefined {
    return this.#scene.pending.cells.keys().next().value;
  }

  #step(isOpened: boolean): CursorStep | undefined {
    const { target } = this;
    return target === undefined ? undefined : { target, isOpened };
  }
}

/** Tiles are in shares of a node; steps are measured in something like pixels. */
const tileUnit = 1000;
type At = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function scaleUp({ x, y, width, height }: At): At {
  return { x: x * tileUnit, y: y * tileUnit, width: width * tileUnit, height: height * tileUnit };
}

function scaled(targets: readonly (readonly [string, At])[]): readonly (readonly [string, At])[] {
  return targets.map(([id, at]) => [id, scaleUp(at)] as const);
}
