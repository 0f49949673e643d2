import { invalidParameterValue } from '../calls/refusal.ts';

export interface PageInput {
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
}

export interface PageLimits {
  readonly min: number;
  readonly max: number;
}

interface ResponsePage<Item> {
  readonly items: Item[];
  readonly NextToken: string | undefined;
}

/**
 * One page of the items, ordered by key. The token holds the last key of the page instead of an offset, so
 * that no item is skipped when others vanish between two pages.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { MaxResults, NextToken }: PageInput,
  limits: PageLimits,
): ResponsePage<Item> {
  const after = NextToken === undefined || NextToken === '' ? undefined : keyFrom(NextToken);
  const keyed = items.map((item): [string, Item] => [keyOf(item), item]);
  const ordered = keyed.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const left = after === undefined ? ordered : ordered.filter(([key]) => key > after);
  const shown = left.slice(0, sizeOf(MaxResults, limits));
  const last = shown.at(-1);
  return {
    items: shown.map(([, item]) => item),
    NextToken: last === undefined || shown.length === left.length ? undefined : tokenOf(last[0]),
  };
}

/** A number as a key whose text order equals its numeric order. */
export function sequenceKey(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

function sizeOf(requested: number | undefined, { min, max }: PageLimits): number {
  if (requested === undefined || requested === 0) return max;
  if (requested < min) {
    throw invalidParameterValue(
      `Value ( ${requested} ) for parameter maxResults is invalid. Expecting a value greater than ${min}.`,
    );
  }
  if (requested > max) {
    throw invalidParameterValue(
      `Value ( ${requested} ) for parameter maxResults is invalid. Expecting a value less than ${max}.`,
    );
  }
  return requested;
}

const mark = 'after ';

function tokenOf(key: string): string {
  return Buffer.from(`${mark}${key}`).toString('base64');
}

function keyFrom(token: string): string {
  const text = Buffer.from(token, 'base64').toString('utf8');
  if (!text.startsWith(mark)) throw invalidParameterValue('Unable to parse pagination token');
  return text.slice(mark.length);
}
