import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customResources } from '@karpenter/aws';
import { kinds } from '@karpenter/kube/client';
import { markdownPage, repository } from '../docs/markdown-pages.ts';
import type { World } from './world.ts';

const folder = 'docs/walkthroughs';

/** The path of the page of a walkthrough. */
export function pageOf(number: number): string {
  const name = readdirSync(join(repository, folder)).find(
    (file) => file.startsWith(String(number).padStart(2, '0')) && file.endsWith('.md'),
  );
  return `${folder}/${name}`;
}

/**
 * What the page of a walkthrough promises and the run has not shown: words in backticks that are in no log line, event,
 * manifest or column, and events that its commands select and nobody has published.
 */
export async function brokenPromises(world: World, number: number): Promise<readonly string[]> {
  const { text } = markdownPage(pageOf(number));
  const { items: events } = await world.client.list(kinds.event);
  const reasons = new Set(events.map(({ reason }) => reason));
  const selected = [...text.matchAll(/reason=(\w+)/g)].map(([, reason = '']) => reason);
  const shown = [
    ...world.log.map(({ message }) => message),
    ...events.map(({ reason, message }) => `${reason} ${message}`),
    ...columns,
    ...manifestsOf(text),
    // What can be done to an instance; a test compares that page with the command.
    markdownPage('docs/simulated-cloud.md').text,
  ].join('\n');
  return [
    ...selected.filter((reason) => !reasons.has(reason)),
    ...promisedWords(text).filter((word) => !isShown(word, shown)),
  ];
}

/** Words in backticks outside of code blocks and tables, without commands and placeholders such as `NODE`. */
function promisedWords(text: string): readonly string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/^\|.*$/gm, '');
  const words = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
  return words.filter((word) => !/^(kubectl|bin\/karpenter) |^(NODE|NAME|RELEASE|v\d{8})$/.test(word));
}

/** `…` stands for any text, and a label is written `key=value` or as in a manifest. */
function isShown(word: string, shown: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped.replaceAll('…', '.*').replace(/^(\w+)=(\w+)$/, '$1(=|: )$2');
  return new RegExp(pattern).test(shown);
}

/** The columns that kubectl prints for custom resources. */
const columns: readonly string[] = customResources.flatMap(({ definition }) =>
  definition.spec.versions.flatMap(({ additionalPrinterColumns = [] }) =>
    additionalPrinterColumns.map(({ name }) => name.toUpperCase()),
  ),
);

/** The manifests that the page applies, those of pages that it links to, and the EC2NodeClass of all walkthroughs. */
function manifestsOf(text: string): readonly string[] {
  const applied = [...text.matchAll(/docs\/walkthroughs\/(\S+\.yaml)/g)].map(([, file = '']) => file);
  const linked = [...text.matchAll(/\((\d\d-[\w-]+)\.md\)/g)].flatMap(([, name = '']) =>
    readdirSync(join(repository, folder, name)).map((file) => `${name}/${file}`),
  );
  return ['01-first-node/nodeclass.yaml', ...applied, ...linked].map((file) =>
    readFileSync(join(repository, folder, file), 'utf8'),
  );
}
