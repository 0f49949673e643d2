import type { ColumnContext } from '../nodes/node-columns.ts';
import { searched, type ViewModel } from '../nodes/view-model.ts';
import type { ViewSettings } from '../settings/view-settings.ts';
import type { Paint } from './bar.ts';
import { footerLines } from './footer.ts';
import type { ScreenSize } from './frame.ts';
import { nodeTable } from './node-table.ts';
import { type Page, type PageGroup, pagesOf } from './pages.ts';
import { amounts, counted, podLine, priceText, summaryLines } from './summary.ts';
import { bold, type Line, plain, printable, styled } from './text.ts';
import type { ViewState } from './view-state.ts';

/** Everything a screen depends on. */
export interface ScreenInput {
  readonly model: ViewModel;
  readonly state: ViewState;
  readonly settings: Pick<ViewSettings, 'resources' | 'extraLabels' | 'isPricing' | 'nodeSelector'>;
  readonly paint: Paint;
  readonly context: ColumnContext;
  readonly size: ScreenSize;
  readonly isSynced: boolean;
  readonly problems: readonly string[];
}

export interface Screen {
  readonly lines: readonly Line[];
  readonly pages: number;
}

const footerHeight = 2;

/** The screen as a pure function of the rows, the size and what the user has chosen. */
export function screenOf(input: ScreenInput): Screen {
  const { model, state, settings, paint, size } = input;
  const { resources, isPricing } = settings;
  const head: readonly Line[] = [
    ...summaryLines(model, { resources, isPricing, paint, width: size.columns }),
    [plain(podLine(model.pods))],
    [],
  ];
  const lines = Math.max(1, size.rows - head.length - footerHeight);
  const nodes = searched(model.nodes, state.search);
  const pages = pagesOf(nodes, { groupBy: state.groupBy, lines, linesPerNode: resources.length });
  const page = Math.min(state.page, Math.max(0, pages.length - 1));
  const body = bodyLines(input, pages[page]).slice(0, lines);
  const blank: readonly Line[] = Array.from({ length: lines - body.length }, () => []);
  const footer = footerLines(input, { page, pages: pages.length });
  const all = [...head, ...body, ...blank, ...footer];
  return { lines: all.slice(0, size.rows), pages: pages.length };
}

function bodyLines(input: ScreenInput, page: Page | undefined): readonly Line[] {
  if (page === undefined || page.length === 0) return [[plain(emptyText(input))]];
  const { state, settings, paint, context, size } = input;
  // One table for the whole page, so that columns line up across groups.
  const rows = nodeTable(
    page.flatMap(({ nodes }) => nodes),
    { ...settings, columns: state.columns, paint, context, width: size.columns },
  );
  let taken = 0;
  return page.flatMap((group) => {
    const start = taken;
    taken += group.nodes.length * settings.resources.length;
    const header = group.name === undefined ? [] : [groupHeader(group, input)];
    return [...header, ...rows.slice(start, taken)];
  });
}

function groupHeader({ name = '', totals, isEstimated = false }: PageGroup, input: ScreenInput): Line {
  if (totals === undefined) return [];
  const { settings } = input;
  const used = settings.resources.map((resource) => `${resource} ${amounts(totals, resource)}`).join(', ');
  const price = settings.isPricing ? priceText(totals, isEstimated) : '';
  const text = [`${name === '' ? '(none)' : name}:`, counted(totals.nodes, 'node'), used, price];
  return [styled(printable(text.filter((part) => part !== '').join('  ')), bold)];
}

function emptyText({ model, state, settings, isSynced }: ScreenInput): string {
  if (!isSynced) return 'Waiting for the nodes of the cluster …';
  if (model.nodes.length > 0) return `No node matches the search ${JSON.stringify(state.search)}.`;
  if (settings.nodeSelector !== '') return `No node matches the selector ${settings.nodeSelector}.`;
  return 'No nodes found.';
}
