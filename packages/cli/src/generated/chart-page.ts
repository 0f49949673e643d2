import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { GeneratedFile } from './generated-file.ts';
import { referencePage } from './reference-page.ts';

/** Reads a file of the repository by its path. */
export type ReadFile = (path: string) => string;

const charts = [
  ['karpenter', 'The controllers. Every value of Karpenter’s chart, and those marked as not in it.'],
  ['karpenter-crd', 'The custom resource definitions, which Helm upgrades only with this chart.'],
  ['karpenter-nodepools', 'NodePools and EC2NodeClasses. `examples/` has values for three environments.'],
  [
    'node-termination-handler',
    'The termination handler. The values of aws-node-termination-handler in IMDS mode, and those marked as not in it.',
  ],
] as const;

const introduction =
  'Each chart rejects values that it does not know, and values of a wrong type, with a sentence that names them.';

/** The values of all charts, with the comments that begin with `--` in their `values.yaml`. */
export function chartPage(read: ReadFile): GeneratedFile {
  return referencePage({
    name: 'charts',
    title: 'Chart values',
    introduction,
    lines: charts.flatMap(([chart, about]) => [
      `## ${chart}`,
      '',
      about,
      '',
      '| Value | Default | Meaning |',
      '| --- | --- | --- |',
      ...valueRows(read(`charts/${chart}/values.yaml`)),
      '',
    ]),
  });
}

function valueRows(text: string): readonly string[] {
  const { contents } = parseDocument(text);
  return isMap(contents) ? rowsOf(contents, []) : [];
}

function rowsOf(values: YAMLMap, path: readonly string[]): readonly string[] {
  // The parser gives the comment above the first entry of a map to the map itself.
  return values.items.flatMap((pair, index) => rowsOfEntry(pair, path, index === 0 ? values : undefined));
}

function rowsOfEntry(
  { key, value }: Pair,
  path: readonly string[],
  map: YAMLMap | undefined,
): readonly string[] {
  const name = [...path, isScalar(key) ? String(key.value) : ''];
  const above = isScalar(key) ? (key.commentBefore ?? map?.commentBefore) : undefined;
  const meaning = above?.trim().match(/^-- (.*)$/s)?.[1];
  if (meaning === undefined) return isMap(value) ? rowsOf(value, name) : [];
  return [`| \`${name.join('.')}\` | ${inTable(defaultText(value))} | ${inTable(meaning)} |`];
}

/** Values of the parser print themselves as the JSON of what they hold. */
function defaultText(value: unknown): string {
  return `\`${JSON.stringify(value ?? null)}\``;
}

function inTable(text: string): string {
  return text.replaceAll('|', '\\|');
}
