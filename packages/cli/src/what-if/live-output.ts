import { columnLines, type DataFormat, documentText, wrapped } from '../output/index.ts';
import {
  type PlanTableOptions,
  planDocument,
  planTable,
  planYaml,
  type Simulated,
} from '../simulate/index.ts';
import { consolidationDocument, consolidationLines } from './consolidation-output.ts';
import type { LiveFacts } from './live-simulation.ts';
import { type Move, movesOf } from './moves.ts';
import { counted, priceDocument, priceLines } from './price-output.ts';

const usualWidth = 100;
const maxRows = 20;

/** The plan and what becomes of the cluster, as the plan of files is written. */
export const liveWriters = {
  table: liveTable,
  wide: (simulated: Simulated, facts: LiveFacts, options: PlanTableOptions = {}) =>
    liveTable(simulated, facts, { ...options, isWide: true }),
  json: (simulated: Simulated, facts: LiveFacts) => liveJson(simulated, facts, 'json'),
  jsonl: (simulated: Simulated, facts: LiveFacts) => liveJson(simulated, facts, 'jsonl'),
  yaml: (simulated: Simulated, facts: LiveFacts) => planYaml(simulated, liveDocument(simulated, facts)),
} as const;

function liveTable(simulated: Simulated, facts: LiveFacts, options: PlanTableOptions = {}): string {
  const details = liveSections(simulated, facts, options.width ?? usualWidth);
  return planTable(simulated, { ...options, details });
}

function liveJson(simulated: Simulated, facts: LiveFacts, format: DataFormat): string {
  return documentText(planDocument(simulated, liveDocument(simulated, facts)), format);
}

function liveDocument(simulated: Simulated, facts: LiveFacts): object {
  const { blocked, consolidation } = facts;
  return {
    price: priceDocument(simulated, facts),
    moves: movesOf(simulated.plan, facts.places),
    ...(blocked.length > 0 && { blocked }),
    ...(typeof consolidation === 'string' && { consolidationSkipped: consolidation }),
    ...(typeof consolidation === 'object' && { consolidation: consolidationDocument(consolidation) }),
  };
}

function liveSections(simulated: Simulated, facts: LiveFacts, width: number): readonly (readonly string[])[] {
  return [
    priceLines(simulated, facts).flatMap((line) => wrapped(line, width)),
    moveLines(simulated, facts),
    blockedLines(facts, width),
    consolidationSection(facts, width),
  ];
}

/** A table for each node that pods leave; names stay whole, because their ends tell pods apart. */
function moveLines({ plan }: Simulated, { places }: LiveFacts): readonly string[] {
  const moves = movesOf(plan, places);
  const shown = moves.slice(0, maxRows);
  const rest = moves.length - shown.length;
  const tables = [...new Set(shown.map(({ from }) => from))].flatMap((node) =>
    columnLines(
      [
        { title: `MOVED FROM ${node}`, align: 'left' },
        { title: 'TO', align: 'left' },
      ],
      shown.filter(({ from }) => from === node).map((move) => [move.pod, targetText(move, plan)]),
    ),
  );
  return [...tables, ...(rest > 0 ? [`and ${counted(rest, 'more move')}`] : [])];
}

function targetText({ to, newNode = 0 }: Move, { newNodes }: Simulated['plan']): string {
  return to ?? `new node ${newNode + 1} (${newNodes[newNode]?.instanceTypes[0] ?? ''})`;
}

function blockedLines({ blocked }: LiveFacts, width: number): readonly string[] {
  if (blocked.length === 0) return [];
  const shown = blocked
    .slice(0, maxRows)
    .flatMap(({ node, pod, message }) =>
      wrapped(`${pod} on ${node}: ${message}`, width - 2).map((line) => `  ${line}`),
    );
  const rest = blocked.length - maxRows;
  return [
    `${counted(blocked.length, 'pod')} cannot be evicted now, so a drain would wait for ${blocked.length === 1 ? 'it' : 'them'}:`,
    ...shown,
    ...(rest > 0 ? [`  and ${counted(rest, 'more pod')}`] : []),
  ];
}

function consolidationSection({ consolidation }: LiveFacts, width: number): readonly string[] {
  if (consolidation === undefined) return [];
  if (typeof consolidation === 'object') return consolidationLines(consolidation);
  return wrapped(`Consolidation was not searched: ${consolidation}.`, width);
}
