import type { PageNode } from '@karpenter/core/page-api';
import type { RowFilter } from '../../filter/index.ts';
import { between, groupTitleHeight, type Rectangle } from '../layout/index.ts';
import { eased, type Flight, type MapScene, type NodeBox, pendingTitleHeight } from '../scene/index.ts';
import type { MapColours } from './map-colours.ts';
import { type Brush, paintNode } from './node-painter.ts';
import { paintPod } from './pod-mark.ts';
import { TextFitter } from './text-fitter.ts';

/** Texts of the map in the language of the page. */
export interface MapTexts {
  readonly pending: string;
  readonly noGroup: string;
  readonly money: (dollars: number) => string;
  readonly count: (count: number) => string;
  readonly phase: (phase: PageNode['phase']) => string;
}

/** What is marked on top of the map. */
export interface MapMarks {
  readonly hovered?: Rectangle;
  readonly cursor?: Rectangle;
  readonly selected?: Rectangle;
}

/**
 * Draws the scene on two canvases: nodes and pods on the first, of which only what changed is drawn again; pods on
 * their way and marks on the second, which is small work in every frame.
 */
export class MapPainter {
  colours: MapColours;
  filter: RowFilter;
  texts: MapTexts;
  readonly #base: CanvasRenderingContext2D;
  readonly #overlay: CanvasRenderingContext2D;
  readonly #text: TextFitter;
  #isOverlayUsed = false;

  constructor(options: {
    readonly base: HTMLCanvasElement;
    readonly overlay: HTMLCanvasElement;
    readonly colours: MapColours;
    readonly filter: RowFilter;
    readonly texts: MapTexts;
  }) {
    this.#base = contextOf(options.base);
    this.#overlay = contextOf(options.overlay);
    this.colours = options.colours;
    this.filter = options.filter;
    this.texts = options.texts;
    this.#text = new TextFitter(this.#base, getComputedStyle(options.base).fontFamily);
  }

  /** Takes the size of the frame; one unit of the map is `zoom` CSS pixels. */
  resize({ clientWidth, clientHeight }: Element, pixelRatio: number, zoom: number): void {
    for (const { canvas } of [this.#base, this.#overlay]) {
      canvas.width = Math.round(clientWidth * pixelRatio);
      canvas.height = Math.round(clientHeight * pixelRatio);
      // In CSS the canvas is as wide as the frame; its height follows from this.
      canvas.style.height = `${clientHeight}px`;
    }
    const scale = pixelRatio * zoom;
    for (const context of [this.#base, this.#overlay]) context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  paintAll(scene: MapScene, scrollTop: number, now: number): void {
    const { x, y, width, height } = scene.origin;
    this.#base.clearRect(0, 0, x + width, y + height);
    this.#inMap(scene, scrollTop, () => {
      for (const group of scene.layout.groups) this.#paintGroup(group.name, group.rectangle, group.nodes);
      for (const box of scene.boxes.values())
        if (isVisible(box, now, { top: scrollTop, height })) paintNode(this.#brush(now), box);
    });
    this.paintPending(scene, now);
  }

  paintBoxes(scene: MapScene, boxes: Iterable<NodeBox>, { scrollTop, now }: FrameTime): void {
    this.#inMap(scene, scrollTop, () => {
      for (const box of boxes) {
        if (!isVisible(box, now, { top: scrollTop, height: scene.origin.height })) continue;
        const at = box.motion.at(now);
        this.#base.fillStyle = this.colours.groupFill;
        this.#base.fillRect(at.x - 1, at.y - 1, at.width + 2, at.height + 2);
        paintNode(this.#brush(now), box);
      }
    });
  }

  paintPending({ pending }: MapScene, now: number): void {
    const { x, y, width, height } = pending.rectangle;
    const context = this.#base;
    context.clearRect(x, y, width, height);
    context.fillStyle = this.colours.groupFill;
    context.beginPath();
    context.roundRect(x, y, width, height, 8);
    context.fill();
    this.#title(this.texts.pending, this.texts.count(pending.total), {
      x,
      y,
      width,
      height: pendingTitleHeight,
    });
    for (const { pod, motion } of pending.cells.values()) {
      context.globalAlpha = this.filter.matchesPod(pod, undefined) ? 1 : 0.18;
      paintPod(context, { phase: pod.phase, colour: this.colours.phases[pod.phase] }, motion.at(now));
    }
    context.globalAlpha = 1;
    if (pending.hidden === 0) return;
    context.font = this.#text.smallFont;
    context.fillStyle = this.colours.muted;
    context.fillText(`+${this.texts.count(pending.hidden)}`, x + 10, y + height - 4);
  }

  paintOverlay(scene: MapScene, marks: MapMarks, { scrollTop, now }: FrameTime): void {
    const isUsed = scene.flights.length > 0 || Object.keys(marks).length > 0;
    if (!isUsed && !this.#isOverlayUsed) return;
    this.#isOverlayUsed = isUsed;
    const context = this.#overlay;
    context.clearRect(0, 0, scene.origin.x + scene.origin.width, scene.origin.y + scene.origin.height);
    for (const flight of scene.flights) this.#paintFlight(scene, flight, { scrollTop, now });
    this.#outline(marks.hovered, this.colours.muted, 1.5);
    this.#outline(marks.selected, this.colours.accent, 2.5);
    this.#outline(marks.cursor, this.colours.ink, 2);
  }

  #paintFlight(scene: MapScene, flight: Flight, { scrollTop, now }: FrameTime): void {
    const tile = flight.box.tiles.get(flight.pod.uid);
    if (tile === undefined) return;
    const { x, y, width, height } = flight.box.tileRectangle(tile, now);
    const to = { x: x + scene.origin.x, y: y + scene.origin.y - scrollTop, width, height };
    const at = between(flight.from, to, eased((now - flight.startedAt) / (flight.endsAt - flight.startedAt)));
    paintPod(this.#overlay, { phase: flight.pod.phase, colour: this.colours.phases[flight.pod.phase] }, at);
  }

  #outline(at: Rectangle | undefined, colour: string, width: number): void {
    if (at === undefined) return;
    this.#overlay.strokeStyle = colour;
    this.#overlay.lineWidth = width;
    this.#overlay.beginPath();
    this.#overlay.roundRect(at.x - 1.5, at.y - 1.5, at.width + 3, at.height + 3, 4);
    this.#overlay.stroke();
  }

  #paintGroup(name: string, at: Rectangle, nodes: number): void {
    const context = this.#base;
    context.fillStyle = this.colours.groupFill;
    context.beginPath();
    context.roundRect(at.x, at.y, at.width, at.height, 8);
    context.fill();
    this.#title(name === '' ? this.texts.noGroup : name, this.texts.count(nodes), {
      ...at,
      height: groupTitleHeight,
    });
  }

  #title(text: string, count: string, { x, y, width }: Rectangle): void {
    const context = this.#base;
    context.textBaseline = 'alphabetic';
    context.font = this.#text.titleFont;
    context.fillStyle = this.colours.muted;
    context.textAlign = 'right';
    context.fillText(count, x + width - 10, y + 17);
    context.textAlign = 'left';
    context.fillStyle = this.colours.ink;
    context.fillText(this.#text.fit(text, (width - 50) / 1.2), x + 10, y + 17);
  }

  #inMap({ origin }: MapScene, scrollTop: number, paint: () => void): void {
    const context = this.#base;
    context.save();
    context.beginPath();
    context.rect(origin.x, origin.y, origin.width, origin.height);
    context.clip();
    context.translate(origin.x, origin.y - scrollTop);
    paint();
    context.restore();
  }

  #brush(now: number): Brush {
    const { colours, filter, texts } = this;
    return {
      context: this.#base,
      colours,
      filter,
      text: this.#text,
      money: texts.money,
      phase: texts.phase,
      now,
    };
  }
}

interface FrameTime {
  readonly scrollTop: number;
  readonly now: number;
}

function isVisible(box: NodeBox, now: number, { top, height }: { top: number; height: number }): boolean {
  const at = box.motion.at(now);
  return at.y + at.height >= top && at.y <= top + height;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no canvas');
  return context;
}
