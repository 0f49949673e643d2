import type { PodPhaseName } from '../../store/index.ts';
import type { Rectangle } from '../layout/index.ts';

/** A pod to draw: a colour and a shape for its phase, so that colour alone never says it. */
export interface PodMark {
  readonly phase: PodPhaseName;
  readonly colour: string;
}

const smallestWithShape = 6;

/** Draws the mark into the rectangle. Small tiles have their colour only. */
export function paintPod(context: CanvasRenderingContext2D, { phase, colour }: PodMark, at: Rectangle): void {
  context.fillStyle = colour;
  const side = Math.min(at.width, at.height);
  if (phase === 'running' || side < smallestWithShape) {
    context.fillRect(at.x, at.y, at.width, at.height);
    return;
  }
  shapes[phase](context, at, colour);
}

type PaintShape = (context: CanvasRenderingContext2D, at: Rectangle, colour: string) => void;

const shapes: Readonly<Record<Exclude<PodPhaseName, 'running'>, PaintShape>> = {
  /** Half full. */
  starting(context, { x, y, width, height }) {
    const half = Math.round(height / 2);
    const alpha = context.globalAlpha;
    context.globalAlpha = alpha * 0.4;
    context.fillRect(x, y, width, height - half);
    context.globalAlpha = alpha;
    context.fillRect(x, y + height - half, width, half);
  },
  /** Hollow. */
  pending(context, { x, y, width, height }, colour) {
    const alpha = context.globalAlpha;
    context.globalAlpha = alpha * 0.22;
    context.fillRect(x, y, width, height);
    context.globalAlpha = alpha;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.strokeRect(x + 0.75, y + 0.75, width - 1.5, height - 1.5);
  },
  /** A cross. */
  failing(context, { x, y, width, height }) {
    context.fillRect(x, y, width, height);
    const inset = Math.min(width, height) * 0.28;
    context.strokeStyle = '#ffffff';
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x + inset, y + inset);
    context.lineTo(x + width - inset, y + height - inset);
    context.moveTo(x + width - inset, y + inset);
    context.lineTo(x + inset, y + height - inset);
    context.stroke();
  },
  /** A slash. */
  terminating(context, { x, y, width, height }, colour) {
    const alpha = context.globalAlpha;
    context.globalAlpha = alpha * 0.35;
    context.fillRect(x, y, width, height);
    context.globalAlpha = alpha;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, y + height);
    context.lineTo(x + width, y);
    context.stroke();
  },
  /** A small square. */
  succeeded(context, { x, y, width, height }) {
    const inset = Math.min(width, height) * 0.28;
    context.fillRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
  },
};
