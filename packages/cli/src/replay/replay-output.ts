import { columnLines } from '../output/index.ts';
import type { Replayed } from './replay.ts';

const maxRows = 20;
const maxCell = 100;

/** For people: whether it is the same, else the first differences. */
export function replayText({ decision, subject, differences }: Replayed): string {
  const head = `${decision.id}  ${new Date(decision.at).toISOString()}  ${decision.summary}`;
  if (differences.length === 0) return `${head}\nsame ${subject}\n`;
  const count = `${differences.length} difference${differences.length === 1 ? '' : 's'}`;
  const rest = differences.length - maxRows;
  const lines = columnLines(
    ['WHAT', 'RECORDED', 'REPLAYED'].map((title) => ({ title, align: 'left', maxWidth: maxCell })),
    differences.slice(0, maxRows).map(({ what, recorded, replayed }) => [what, recorded, replayed]),
  );
  return [
    head,
    `another ${subject}, ${count}:`,
    ...lines,
    ...(rest > 0 ? [`and ${rest} more; -o json lists all`] : []),
    '',
  ].join('\n');
}

/** For programs. */
export function replayDocument({ decision, subject, differences }: Replayed): object {
  return { decision, subject, isSame: differences.length === 0, differences };
}
