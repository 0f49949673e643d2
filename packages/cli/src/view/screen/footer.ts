import { foreground } from './colours.ts';
import type { ScreenInput } from './screen.ts';
import { bold, dim, type Line, plain, printable, styled } from './text.ts';
import { columnKeys } from './view-state.ts';

interface Position {
  readonly page: number;
  readonly pages: number;
}

const help = '←/→ page • / search • g group by NodePool • c columns • q quit';

/** The pager and one line that asks, reports a problem or names the keys. */
export function footerLines(input: ScreenInput, position: Position): readonly Line[] {
  if (input.state.mode === 'columns') return columnMenu(input.state.columns);
  return [pagerLine(position, input.size.columns), lastLine(input)];
}

/** One dot for each page, or numbers where there is no room for the dots. */
function pagerLine({ page, pages }: Position, columns: number): Line {
  if (pages <= 1) return [];
  if (pages > columns - 1) return [plain(`page ${page + 1} of ${pages}`)];
  return Array.from({ length: pages }, (_, index) => styled('•', index === page ? bold : dim));
}

function lastLine({ state, problems, paint }: ScreenInput): Line {
  if (state.mode === 'search')
    return [plain(`search: ${state.search}█`), styled('  Enter keep • Esc clear', dim)];
  const [problem] = problems;
  if (problem !== undefined) return [styled(printable(problem), foreground(paint.palette.bad, paint.depth))];
  const search = state.search === '' ? '' : `search: ${state.search} (Esc clears it) • `;
  return [styled(`${printable(search)}${help}`, dim)];
}

/** Two lines, so that all columns fit on a screen of 80. */
function columnMenu(shown: ScreenInput['state']['columns']): readonly Line[] {
  const entries = columnKeys.map(([letter, name]) =>
    shown.includes(name) ? styled(`[${letter}] ${name}  `, bold) : styled(` ${letter}  ${name}  `, dim),
  );
  const half = Math.ceil(entries.length / 2);
  return [
    [plain('show: '), ...entries.slice(0, half)],
    [plain('      '), ...entries.slice(half), styled('Enter done', dim)],
  ];
}
