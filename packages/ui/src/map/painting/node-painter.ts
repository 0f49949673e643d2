import type { PageNode } from '@karpenter/core/page-api';
import type { RowFilter } from '../../filter/index.ts';
import { type Rectangle, scarcerShare } from '../layout/index.ts';
import { grownShare, hasHeader, headerHeight, insideOf, type NodeBox } from '../scene/index.ts';
import type { MapColours } from './map-colours.ts';
import { paintPod } from './pod-mark.ts';
import type { TextFitter } from './text-fitter.ts';

/** What all painting needs. */
export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly colours: MapColours;
  readonly filter: RowFilter;
  readonly text: TextFitter;
  readonly money: (dollars: number) => string;
  readonly phase: (phase: PageNode['phase']) => string;
  readonly now: number;
}

const dimmed = 0.14;

export function paintNode(brush: Brush, box: NodeBox): void {
  const { context, now } = brush;
  const at = box.motion.at(now);
  const opacity = grownShare(box.bornAt, now) * (isJoining(box.node) ? 0.8 : 1);
  context.globalAlpha = opacity;
  paintFrame(brush, box.node, at);
  const isLit = paintTiles(brush, box, opacity);
  context.globalAlpha = isLit || brush.filter.matchesNode(box.node) ? opacity : dimmed;
  if (hasHeader(at)) paintHeader(brush, box.node, at);
  paintState(brush, box.node, at);
  context.globalAlpha = 1;
}

const isJoining = ({ phase }: PageNode): boolean => phase === 'launching' || phase === 'registering';

function paintFrame(brush: Brush, node: PageNode, at: Rectangle): void {
  const { context, colours } = brush;
  const { x, y, width, height } = at;
  context.fillStyle = colours.surface;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, height > 30 ? 4 : 2);
  context.fill();
  const inside = insideOf(at);
  context.fillStyle = colours.track;
  context.fillRect(inside.x, inside.y, inside.width, inside.height);
  context.lineWidth = 1;
  context.strokeStyle = node.phase === 'notReady' ? colours.warning : colours.line;
  context.setLineDash(isJoining(node) ? [4, 3] : []);
  context.stroke();
  context.setLineDash([]);
  paintCapacityType(brush, node, at);
}

/** A band at the top; spot is dashed, so that colour alone does not say it. */
function paintCapacityType({ context, colours }: Brush, node: PageNode, at: Rectangle): void {
  const colour = colours.capacityTypes[node.capacityType ?? ''];
  if (colour === undefined) return;
  const thick = at.height > 30 ? 3 : 2;
  const dash = node.capacityType === 'spot' ? 6 : at.width;
  context.fillStyle = colour;
  for (let x = 1; x < at.width - 1; x += dash + 3)
    context.fillRect(at.x + x, at.y, Math.min(dash, at.width - 1 - x), thick);
}

/** Returns whether the filter keeps any of them. */
function paintTiles(brush: Brush, box: NodeBox, opacity: number): boolean {
  const { context, colours, filter, now } = brush;
  let isLit = filter.isEmpty;
  for (const tile of box.tiles.values()) {
    const { pod } = tile;
    if (tile.hiddenUntil > now) continue;
    const isKept = filter.isEmpty || filter.matchesPod(pod, box.node);
    isLit ||= isKept;
    context.globalAlpha = opacity * (isKept ? grownShare(tile.bornAt, now) : dimmed);
    const colour = pod.isDaemon && pod.phase === 'running' ? colours.daemon : colours.phases[pod.phase];
    paintPod(context, { phase: pod.phase, colour }, spaced(box.tileRectangle(tile, now)));
  }
  return isLit;
}

/** On whole pixels, with a line of background between tiles. Tiles of a few pixels keep half of one. */
function spaced({ x, y, width, height }: Rectangle): Rectangle {
  if (Math.min(width, height) < 4)
    return {
      x: x + 0.15,
      y: y + 0.15,
      width: Math.max(0.75, width - 0.35),
      height: Math.max(0.75, height - 0.35),
    };
  const [left, top] = [Math.round(x), Math.round(y)];
  return {
    x: left,
    y: top,
    width: Math.round(x + width) - left - 1,
    height: Math.round(y + height) - top - 1,
  };
}

function paintHeader({ context, colours, text, money }: Brush, node: PageNode, at: Rectangle): void {
  const baseline = at.y + headerHeight + 1;
  const isWide = at.width >= 150;
  const right = isWide && node.price !== undefined ? money(node.price.hourly) : '';
  context.textBaseline = 'alphabetic';
  context.font = text.smallFont;
  context.fillStyle = colours.muted;
  context.textAlign = 'right';
  if (right !== '') context.fillText(right, at.x + at.width - 6, baseline);
  context.textAlign = 'left';
  context.fillStyle = colours.ink;
  const label = headerLabel(node, at.width);
  const room = at.width - 12 - (right === '' ? 0 : text.width(right) + 8);
  context.fillText(text.fit(label, room), at.x + 6, baseline);
}

/** The type says more than the name where there is room for one of them. */
function headerLabel({ name, instanceType }: PageNode, width: number): string {
  const short = name.split('.')[0] ?? name;
  if (instanceType === undefined) return short;
  return width >= 190 ? `${instanceType}  ${short}` : instanceType;
}

function paintState(brush: Brush, node: PageNode, at: Rectangle): void {
  const { context, colours } = brush;
  if (node.phase !== 'ready' && hasHeader(at)) paintPhase(brush, node, at);
  if (node.isCordoned || node.isDeleting) hatch(context, at, colours.phases.terminating);
  const full = scarcerShare(node.requested, node.allocatable);
  if (full <= 1.005) return;
  context.strokeStyle = colours.warning;
  context.lineWidth = 2;
  context.strokeRect(at.x + 1, at.y + 1, at.width - 2, at.height - 2);
}

/** In the middle of a node that is not ready. */
function paintPhase({ context, colours, text, phase }: Brush, node: PageNode, at: Rectangle): void {
  context.font = text.smallFont;
  context.fillStyle = colours.muted;
  context.textAlign = 'center';
  context.fillText(
    text.fit(phase(node.phase), at.width - 10),
    at.x + at.width / 2,
    at.y + at.height / 2 + 12,
  );
  context.textAlign = 'left';
}

function hatch(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle, colour: string): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.globalAlpha *= 0.55;
  context.beginPath();
  for (let offset = -height; offset < width; offset += 9) {
    context.moveTo(x + offset, y + height);
    context.lineTo(x + offset + height, y);
  }
  context.stroke();
  context.restore();
}
