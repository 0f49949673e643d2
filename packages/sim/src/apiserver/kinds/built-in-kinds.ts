import { builtInTable } from '../tables/built-in-tables.ts';
import { builtInBehaviour } from './behaviour/built-in-behaviour.ts';
import { rulesOf } from './behaviour/rules.ts';
import { builtInDefinitions } from './definitions/definitions.ts';
import { DefinitionSchemas } from './definitions/schema.ts';
import { eventConversion } from './event-conversion.ts';
import { resourceFacts } from './facts/kinds.ts';
import type { ScalePaths, ServedKind, Subresource } from './served-kind.ts';

/** From metrics-server, which the embedded server also serves. */
const metricsFacts = `
metrics.k8s.io/v1beta1 nodes node NodeMetrics metrics.v1beta1.NodeMetrics Cluster - - get,list
metrics.k8s.io/v1beta1 pods pod PodMetrics metrics.v1beta1.PodMetrics Namespaced - - get,list
`;

let kinds: readonly ServedKind[] | undefined;

/** The built-in kinds of Kubernetes, in discovery order. */
export function builtInKinds(): readonly ServedKind[] {
  kinds ??= [...factLines(resourceFacts), ...factLines(metricsFacts)].map(servedKind);
  return kinds;
}

const factLines = (text: string) => text.split('\n').filter((line) => line !== '');

const schemas = new DefinitionSchemas(builtInDefinitions);
const commas = (text: string) => (text === '-' ? [] : text.split(','));

/**
 * Parses one line of facts/kinds.ts: group/version, names, definition, scope, short names, categories, verbs,
 * subresources.
 */
function servedKind(line: string): ServedKind {
  const [groupVersion = '', plural = '', singular = '', kind = '', definition = '', scope, ...rest] =
    line.split(' ');
  const [shortNames = '', categories = '', verbs = '', ...subresourceTexts] = rest;
  const [group = '', version = ''] = groupVersion.split('/');
  const rules = rulesOf(group, kind);
  const subresources = subresourceTexts.map(parseSubresource);
  const has = (name: string) => subresources.some((subresource) => subresource.name === name);
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular,
    shortNames: commas(shortNames),
    categories: commas(categories),
    namespaced: scope === 'Namespaced',
    verbs: commas(verbs),
    subresources,
    ...(has('scale') ? { scale: workloadScale } : {}),
    get schema() {
      return schemas.schema(definition);
    },
    definition,
    isCustom: false,
    countsGenerations: rules.countsGenerations ?? false,
    countsAnnotations: rules.countsAnnotations ?? false,
    allowsUnconditionalUpdate: !rules.refusesUnconditionalUpdate,
    allowsCreateOnUpdate: rules.allowsCreateOnUpdate ?? false,
    fieldSelectors: rules.fieldSelectors ?? {},
    table: builtInTable(group, kind),
    behaviour: builtInBehaviour(builtInDefinitions, {
      version,
      kind,
      definition,
      hasStatus: has('status'),
      rules,
    }),
    ...(group === 'events.k8s.io'
      ? { storedAs: { group: '', plural: 'events' }, conversion: eventConversion }
      : {}),
  };
}

const workloadScale: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

function parseSubresource(text: string): Subresource {
  const [name = '', kindText = '', verbs = ''] = text.split('=');
  const [group, version, kind] = kindText.split('/');
  if (kind === undefined || group === undefined || version === undefined) {
    return { name, kind: kindText, verbs: verbs.split(',') };
  }
  return { name, kind, group, version, verbs: verbs.split(',') };
}
