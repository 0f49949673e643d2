import { parseFilter, type RowFilter } from '../filter/index.ts';
import type { ClusterRows, StoreChanges } from '../store/index.ts';
import type { Rectangle } from './layout/index.ts';
import { type CursorStep, MapCursor } from './map-cursor.ts';
import { type MapMarks, MapPainter, type MapTexts, readColours } from './painting/index.ts';
import { MapScene, type MapTarget } from './scene/index.ts';

interface LoopOptions {
  readonly rows: ClusterRows;
  readonly frame: HTMLElement;
  readonly base: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  /** The height of the whole map, so that the frame can scroll. */
  readonly onHeight: (height: number) => void;
}

const plainTexts: MapTexts = { pending: '', noGroup: '', money: String, count: String, phase: String };
/** After this long without anything to draw, the loop sleeps until something changes. */
const restMs = 700;
/** The size of text that the map is designed for; with larger text everything on it is larger. */
const usualTextPx = 14;

/** Draws a frame whenever something changed or moves, and follows pointer and keys. */
export class MapLoop {
  readonly #options: LoopOptions;
  readonly #changes: StoreChanges;
  readonly #scene: MapScene;
  readonly #painter: MapPainter;
  readonly #cursor: MapCursor;
  readonly #resizes: ResizeObserver;
  #groupBy = 'nodepool';
  #isMoving = true;
  #isAllDirty = true;
  #isOverlayDirty = true;
  #hovered: MapTarget | undefined;
  #selected: MapTarget = {};
  #handle = 0;
  #activeUntil = 0;
  #height = 0;
  #zoom = 1;
  #pixelRatio = 0;

  constructor(options: LoopOptions) {
    const { rows, frame, base, overlay } = options;
    this.#options = options;
    this.#changes = rows.follow(() => this.#wake());
    this.#scene = new MapScene(rows, this.#changes);
    this.#cursor = new MapCursor(this.#scene);
    this.#painter = new MapPainter({
      base,
      overlay,
      colours: readColours(frame),
      filter: parseFilter(''),
      texts: plainTexts,
    });
    this.#resizes = new ResizeObserver(() => this.#resize());
    this.#resizes.observe(frame);
    frame.addEventListener('scroll', this.#repaint, { passive: true });
    this.#resize();
  }

  stop(): void {
    cancelAnimationFrame(this.#handle);
    this.#resizes.disconnect();
    this.#options.frame.removeEventListener('scroll', this.#repaint);
    this.#options.rows.unfollow(this.#changes);
  }

  setFilter(filter: RowFilter): void {
    this.#painter.filter = filter;
    this.#repaint();
  }

  setGrouping(groupBy: string, isMoving: boolean): void {
    this.#groupBy = groupBy;
    this.#isMoving = isMoving;
    this.#setView();
  }

  setTexts(texts: MapTexts): void {
    this.#painter.texts = texts;
    this.#repaint();
  }

  readColours(): void {
    this.#painter.colours = readColours(this.#options.frame);
    this.#repaint();
  }

  select(target: MapTarget): void {
    this.#selected = target;
    this.#wakeOverlay();
  }

  /** The object under the pointer. */
  hover(event: PointerEvent | MouseEvent | undefined): MapTarget | undefined {
    const target = event === undefined ? undefined : this.#targetOf(event);
    if (!isSame(target, this.#hovered)) this.#wakeOverlay();
    this.#hovered = target;
    return target;
  }

  press(key: string): CursorStep | undefined {
    const step = this.#cursor.press(key);
    if (step !== undefined) {
      this.#wakeOverlay();
      this.#scrollTo(step.target);
    }
    return step;
  }

  #targetOf({ clientX, clientY }: PointerEvent | MouseEvent): MapTarget | undefined {
    const { frame } = this.#options;
    const { left, top } = frame.getBoundingClientRect();
    return this.#scene.targetAt((clientX - left) / this.#zoom, (clientY - top) / this.#zoom, this.#scrollTop);
  }

  /** In units of the map. */
  get #scrollTop(): number {
    return this.#options.frame.scrollTop / this.#zoom;
  }

  #scrollTo({ node }: MapTarget): void {
    const at = this.#scene.layout.boxes.get(node?.id ?? '');
    const { frame } = this.#options;
    if (at === undefined) return;
    const room = this.#scene.origin.height;
    if (at.y < this.#scrollTop) frame.scrollTop = (at.y - 40) * this.#zoom;
    else if (at.y + at.height > this.#scrollTop + room)
      frame.scrollTop = (at.y + at.height - room + 20) * this.#zoom;
  }

  #resize(): void {
    const { frame } = this.#options;
    this.#zoom = (Number.parseFloat(getComputedStyle(frame).fontSize) || usualTextPx) / usualTextPx;
    this.#pixelRatio = devicePixelRatio;
    this.#painter.resize(frame, devicePixelRatio, this.#zoom);
    this.#setView();
  }

  #setView(): void {
    const { clientWidth, clientHeight } = this.#options.frame;
    const [width, height] = [clientWidth / this.#zoom, clientHeight / this.#zoom];
    this.#scene.setView({ width, height, groupBy: this.#groupBy, isMoving: this.#isMoving });
    this.#repaint();
  }

  readonly #repaint = (): void => {
    this.#isAllDirty = true;
    this.#wakeOverlay();
  };

  #wakeOverlay(): void {
    this.#isOverlayDirty = true;
    this.#wake();
  }

  #wake(): void {
    this.#activeUntil = performance.now() + restMs;
    if (this.#handle === 0) this.#handle = requestAnimationFrame(this.#frame);
  }

  readonly #frame = (now: number): void => {
    this.#handle = now < this.#activeUntil ? requestAnimationFrame(this.#frame) : 0;
    // A window that moves to another screen keeps its size.
    if (devicePixelRatio !== this.#pixelRatio) this.#resize();
    const scrollTop = this.#scrollTop;
    const { isFull, boxes, isPendingDirty } = this.#scene.advance(now);
    if (isFull || this.#isAllDirty) this.#painter.paintAll(this.#scene, scrollTop, now);
    else {
      if (boxes.size > 0) this.#painter.paintBoxes(this.#scene, boxes, { scrollTop, now });
      if (isPendingDirty) this.#painter.paintPending(this.#scene, now);
    }
    const isMarked = this.#isOverlayDirty || isFull || this.#scene.flights.length > 0;
    if (isMarked) this.#painter.paintOverlay(this.#scene, this.#marks(now), { scrollTop, now });
    this.#isAllDirty = false;
    this.#isOverlayDirty = isFull || this.#scene.flights.length > 0;
    this.#reportHeight();
  };

  #reportHeight(): void {
    const height = Math.round((this.#scene.origin.y + this.#scene.layout.height) * this.#zoom);
    if (height !== this.#height) this.#options.onHeight(height);
    this.#height = height;
  }

  #marks(now: number): MapMarks {
    const hovered = this.#place(this.#hovered, now);
    const selected = this.#place(this.#selected, now);
    const isFocused = this.#options.frame.matches(':focus-visible');
    const cursor = isFocused ? this.#place(this.#cursor.target, now) : undefined;
    return {
      ...(hovered !== undefined && { hovered }),
      ...(selected !== undefined && { selected }),
      ...(cursor !== undefined && { cursor }),
    };
  }

  /** Where the object is on the canvas now. */
  #place(target: MapTarget | undefined, now: number): Rectangle | undefined {
    if (target?.pod !== undefined) {
      const waiting = this.#scene.pending.cells.get(target.pod.uid);
      if (waiting !== undefined) return waiting.motion.at(now);
    }
    const node = target?.node ?? this.#options.rows.nodeNamed(target?.pod?.nodeName ?? '');
    const box = this.#scene.boxes.get(node?.id ?? '');
    if (box === undefined) return undefined;
    const tile = box.tiles.get(target?.pod?.uid ?? '');
    const at = tile === undefined ? box.motion.at(now) : box.tileRectangle(tile, now);
    const { x, y } = this.#scene.origin;
    return { ...at, x: at.x + x, y: at.y + y - this.#scrollTop };
  }
}

function isSame(a: MapTarget | undefined, b: MapTarget | undefined): boolean {
  return a?.node?.id === b?.node?.id && a?.pod?.uid === b?.pod?.uid;
}
