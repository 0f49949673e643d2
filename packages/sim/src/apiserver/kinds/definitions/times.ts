import { remembered } from '../../remembered.ts';
import type { LeafResult } from './leaves.ts';

const secondLayout = '2006-01-02T15:04:05Z07:00';
const microLayout = '2006-01-02T15:04:05.000000Z07:00';

const moment = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;
const microMoment = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{6})(Z|[+-]\d{2}:\d{2})$/;

/** Whole seconds in UTC, the precision of Kubernetes. */
export const readTime = remembered((text): LeafResult => {
  const parts = moment.exec(text);
  const seconds = parts ? utcSeconds(parts[1], parts[3]) : undefined;
  return seconds === undefined ? refusal(text, secondLayout) : { value: `${seconds}Z` };
});

export function readMicroTime(text: string): LeafResult {
  const parts = microMoment.exec(text);
  const seconds = parts ? utcSeconds(parts[1], parts[3]) : undefined;
  return seconds === undefined ? refusal(text, microLayout) : { value: `${seconds}.${parts?.[2]}Z` };
}

function utcSeconds(local = '', zone = ''): string | undefined {
  const [naive, at] = [Date.parse(`${local}Z`), Date.parse(`${local}${zone}`)];
  // JavaScript parses February 31 as March 3.
  const exists = !Number.isNaN(naive) && new Date(naive).toISOString().startsWith(local);
  return Number.isNaN(at) || !exists ? undefined : new Date(at).toISOString().slice(0, 19);
}

interface LayoutPart {
  readonly layout: string;
  readonly pattern: RegExp;
}

const dateParts: readonly LayoutPart[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d{2}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d{2}/ },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d{2}/ },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d{2}/ },
  { layout: ':', pattern: /^:/ },
];
const zonePart: LayoutPart = { layout: 'Z07:00', pattern: /^(?:Z|[+-]\d{2}:\d{2})/ };
const layoutParts: Readonly<Record<string, readonly LayoutPart[]>> = {
  [secondLayout]: [...dateParts, { layout: '05', pattern: /^\d{2}(?:[.,]\d+)?/ }, zonePart],
  [microLayout]: [
    ...dateParts,
    { layout: '05', pattern: /^\d{2}/ },
    { layout: '.000000', pattern: /^\.\d{6}/ },
    zonePart,
  ],
};

/** Go's time parser reports the rest of the text and the part of the layout that it does not match. */
function refusal(text: string, layout: string): LeafResult {
  const opening = `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}`;
  let rest = text;
  for (const part of layoutParts[layout] ?? []) {
    const [found] = part.pattern.exec(rest) ?? [];
    if (found === undefined) {
      return {
        problem: `${opening}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part.layout)}`,
      };
    }
    rest = rest.slice(found.length);
  }
  return rest === ''
    ? { problem: `parsing time ${JSON.stringify(text)}: day out of range` }
    : { problem: `parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest)}` };
}
