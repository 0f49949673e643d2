import { CodedError } from '@karpenter/core/errors';
import { compileLabelSelector, nearestName, parseLabelSelector } from '@karpenter/core/values';
import { type ColumnName, columnNames, defaultColumns } from '../nodes/node-columns.ts';
import { groupingLabels } from '../nodes/node-groups.ts';
import { colourOf, type Palette } from '../screen/colours.ts';
import type { NodeSort, ViewSettings } from './view-settings.ts';

/** Texts by flag name. */
export type FlagTexts = ReadonlyMap<string, string>;

const defaults: FlagTexts = new Map([
  ['node-sort', 'creation=dsc'],
  ['resources', 'cpu'],
  ['style', '#04B575,#FFFF00,#FF0000'],
  ['columns', defaultColumns.join(',')],
]);

/** Flags take precedence over KUBECONFIG, that over the config file, and that over the defaults. */
export function parseViewSettings(
  flags: FlagTexts,
  file: FlagTexts,
  env: Readonly<Record<string, string | undefined>>,
): ViewSettings {
  const text = (name: string) => flags.get(name) ?? file.get(name) ?? defaults.get(name) ?? '';
  const kubeconfig = flags.get('kubeconfig') || env['KUBECONFIG'] || file.get('kubeconfig');
  const [context, groupBy] = [text('context'), text('group-by')];
  return {
    ...(kubeconfig !== undefined && kubeconfig !== '' && { kubeconfig }),
    ...(context !== '' && { context }),
    isPricing: !isTrue('disable-pricing', text('disable-pricing')),
    extraLabels: listOf(text('extra-labels')),
    nodeSelector: selectorOf(text('node-selector')),
    sort: sortOf(text('node-sort')),
    resources: resourcesOf(text('resources')),
    palette: paletteOf(text('style')),
    columns: columnsOf(text('columns')),
    ...(groupBy !== '' && { groupBy: groupingOf(groupBy) }),
  };
}

function listOf(text: string): readonly string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return [...new Set(items)];
}

/** Go's spellings of a boolean flag. */
function isTrue(flag: string, text: string): boolean {
  if (/^(|0|f|false)$/i.test(text)) return false;
  if (/^(1|t|true)$/i.test(text)) return true;
  throw invalid(flag, text, 'neither true nor false');
}

function selectorOf(text: string): string {
  compileLabelSelector(parseLabelSelector(text, '--node-selector'), '--node-selector');
  return text;
}

/** Without a suffix it is ascending, as for eks-node-viewer. */
function sortOf(text: string): NodeSort {
  const [, key = '', order] = /^([^=]*)(?:=(.*))?$/.exec(text.trim()) ?? [];
  if (key !== '' && (order === undefined || order === 'asc' || order === 'dsc'))
    return { key, isAscending: order !== 'dsc' };
  throw invalid('node-sort', text, 'not an order; write creation or a label key, with =asc or =dsc after it');
}

function resourcesOf(text: string): readonly string[] {
  const resources = listOf(text);
  if (resources.length > 0) return resources;
  throw invalid('resources', text, 'empty; name at least one resource, such as cpu,memory');
}

function paletteOf(text: string): Palette {
  const parts = text.split(',');
  const [good, ok, bad] = parts.map(colourOf);
  if (parts.length !== 3 || good === undefined || ok === undefined || bad === undefined)
    throw invalid('style', text, 'not three colours; write good,ok,bad such as #04B575,#FFFF00,#FF0000');
  return { good, ok, bad };
}

function columnsOf(text: string): readonly ColumnName[] {
  const columns = listOf(text).map(columnOf);
  if (columns.length > 0) return columns;
  throw invalid('columns', text, `empty; choose from ${columnNames.join(', ')}`);
}

function columnOf(name: string): ColumnName {
  const known = columnNames.find((each) => each === name);
  if (known !== undefined) return known;
  const nearest = nearestName(name, columnNames);
  const advice = nearest === undefined ? `choose from ${columnNames.join(', ')}` : `did you mean ${nearest}?`;
  throw invalid('columns', name, `not a column; ${advice}`);
}

/** A label key or one of the words for frequent ones; a word that is almost one of these is a mistake. */
function groupingOf(text: string): string {
  if (Object.hasOwn(groupingLabels, text)) return text;
  const nearest = text.includes('/') ? undefined : nearestName(text, Object.keys(groupingLabels));
  if (nearest === undefined) return text;
  throw invalid('group-by', text, `neither a label key nor one of the groupings; did you mean ${nearest}?`);
}

function invalid(flag: string, text: string, problem: string): CodedError {
  return new CodedError('invalid-setting', `--${flag} ${JSON.stringify(text)} is ${problem}`, {
    details: { flag: `--${flag}`, value: text },
  });
}
