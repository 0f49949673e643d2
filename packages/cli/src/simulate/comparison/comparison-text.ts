import { columnLines, documentText, type OutputColumn, wrapped } from '../../output/index.ts';
import { currencySign } from '../output/currency.ts';
import { formatCount, pluralized } from '../output/wording.ts';
import {
  type ComparedPlans,
  comparisonOf,
  type PlanComparison,
  type PodMove,
  placeText,
} from './comparison.ts';

const usualWidth = 100;
const maxRows = 20;

const numberColumns = (sign: string): readonly OutputColumn[] => [
  { title: '', align: 'left' },
  { title: 'NODES', align: 'right' },
  { title: `${sign}/HOUR`, align: 'right' },
  { title: 'PLACED', align: 'right' },
  { title: 'WITHOUT A PLACE', align: 'right' },
];

const moveColumns: readonly OutputColumn[] = [
  { title: 'PODS', align: 'right' },
  { title: 'FROM', align: 'left' },
  { title: 'TO', align: 'left' },
  { title: 'SUCH AS', align: 'left' },
];

/** How a comparison is written, by format. */
export const comparisonWriters = {
  table: comparisonText,
  wide: comparisonText,
  json: (compared: ComparedPlans) => documentText(comparisonOf(compared), 'json'),
  jsonl: (compared: ComparedPlans) => documentText(comparisonOf(compared), 'jsonl'),
  yaml: (compared: ComparedPlans) => documentText(comparisonOf(compared), 'yaml'),
} as const;

function comparisonText(compared: ComparedPlans, width = usualWidth): string {
  const comparison = comparisonOf(compared);
  const sections = [
    [`${compared.before.source} against ${compared.after.source}`],
    numberLines(comparison, currencySign(compared.after.snapshot)),
    moveLines(comparison),
    errorLines(comparison, width),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function numberLines({ before, after, difference }: PlanComparison, sign: string): readonly string[] {
  const row = (name: string, numbers: PlanComparison['before'], plus: (value: number) => string) => [
    name,
    plus(numbers.nodes) + formatCount(numbers.nodes),
    plus(numbers.hourlyPrice) + numbers.hourlyPrice.toFixed(4),
    plus(numbers.placed) + formatCount(numbers.placed),
    plus(numbers.failed) + formatCount(numbers.failed),
  ];
  const plusSign = (value: number) => (value > 0 ? '+' : '');
  return columnLines(numberColumns(sign), [
    row('before', before, () => ''),
    row('after', after, () => ''),
    row('difference', difference, plusSign),
  ]);
}

/** Pods that move alike share a row. */
function moveLines({ moved }: PlanComparison): readonly string[] {
  if (moved.length === 0) return ['No pod moves.'];
  const groups = new Map<string, PodMove[]>();
  for (const move of moved) {
    const key = `${placeText(move.from)}\n${placeText(move.to)}`;
    groups.set(key, [...(groups.get(key) ?? []), move]);
  }
  const rows = [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((moves) => [
      formatCount(moves.length),
      placeText(moves[0]?.from),
      placeText(moves[0]?.to),
      moves[0]?.pod ?? '',
    ]);
  const rest = rows.length - maxRows;
  return [
    `${pluralized(moved.length, 'pod')} moved:`,
    ...columnLines(moveColumns, rows.slice(0, maxRows)),
    ...(rest > 0 ? [`and ${pluralized(rest, 'more group')}; -o json lists every pod`] : []),
  ];
}

function errorLines({ errors }: PlanComparison, width: number): readonly string[] {
  const all = Object.entries(errors);
  if (all.length === 0) return [];
  const rest = all.length - maxRows;
  return [
    `${pluralized(all.length, 'pod')} without a place after the change:`,
    ...all.slice(0, maxRows).flatMap(([pod, message]) => indented(`${pod}: ${message}`, width)),
    ...(rest > 0 ? [`  and ${pluralized(rest, 'more pod')}`] : []),
  ];
}

function indented(text: string, width: number): readonly string[] {
  return wrapped(text, width - 2).map((line) => `  ${line}`);
}
