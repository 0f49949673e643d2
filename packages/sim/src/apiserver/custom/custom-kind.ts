import {
  type Json,
  type JsonObject,
  member,
  type RuleChecker,
  readCustomResource,
} from '@karpenter/core/schema';
import type { Conversion, ScalePaths, ServedKind, Subresource } from '../kinds/served-kind.ts';
import { customTable } from '../tables/custom-table.ts';
import { CustomBehaviour } from './custom-behaviour.ts';
import { type ServedDefinition, type ServedVersion, storageVersionOf } from './definition.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** Converts objects to another version with the conversion webhook of the definition. */
export interface WebhookConverter {
  convert(
    definition: ServedDefinition,
    objects: readonly JsonObject[],
    apiVersion: string,
  ): Promise<readonly JsonObject[]>;
}

export interface CustomKindServices {
  readonly rules: RuleChecker;
  readonly converter: WebhookConverter;
}

/** One kind for each served version of a definition. */
export function customKinds(
  definition: ServedDefinition,
  services: CustomKindServices,
): readonly ServedKind[] {
  return definition.spec.versions
    .filter(({ served }) => served)
    .map((version) => customKind(definition, version, services));
}

function customKind(
  definition: ServedDefinition,
  version: ServedVersion,
  services: CustomKindServices,
): ServedKind {
  const { group, names, scope } = definition.spec;
  const scale = scaleOf(version);
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    verbs,
    subresources: subresourcesOf(names.kind, version),
    ...(scale === undefined ? {} : { scale }),
    schema: version.schema.openAPIV3Schema,
    isCustom: true,
    countsGenerations: true,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    fieldSelectors: fieldSelectorsOf(version),
    table: customTable(version.additionalPrinterColumns ?? []),
    ...deprecationOf(definition, version),
    conversion: conversionFor(definition, version, services.converter),
    behaviour: new CustomBehaviour(definition, version, services.rules),
  };
}

function deprecationOf({ spec }: ServedDefinition, version: ServedVersion): Pick<ServedKind, 'deprecation'> {
  if (!version.deprecated) return {};
  const defaultWarning = `${spec.group}/${version.name} ${spec.names.kind} is deprecated`;
  return { deprecation: version.deprecationWarning ?? defaultWarning };
}

function scaleOf({ subresources }: ServedVersion): ScalePaths | undefined {
  return subresources?.scale;
}

function subresourcesOf(kind: string, { subresources }: ServedVersion): readonly Subresource[] {
  return [
    ...(subresources?.status ? [{ name: 'status', kind, verbs: subresourceVerbs }] : []),
    ...(subresources?.scale
      ? [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: subresourceVerbs }]
      : []),
  ];
}

function fieldSelectorsOf({ selectableFields }: ServedVersion): ServedKind['fieldSelectors'] {
  return Object.fromEntries(
    (selectableFields ?? []).map(({ jsonPath }) => {
      const path = jsonPath.replace(/^\./, '');
      return [path, (object: JsonObject) => fieldText(object, path.split('.'))];
    }),
  );
}

function fieldText(object: JsonObject, path: readonly string[]): string {
  const value = path.reduce<Json | undefined>(member, object);
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/**
 * Conversion between the requested and the storage version. Reading applies the schema of the requested
 * version, so new defaults show in objects that were stored before.
 */
function conversionFor(
  definition: ServedDefinition,
  version: ServedVersion,
  converter: WebhookConverter,
): Conversion {
  const { group, conversion } = definition.spec;
  const storage = storageVersionOf(definition) ?? version;
  const convert = async (
    objects: readonly JsonObject[],
    to: ServedVersion,
  ): Promise<readonly JsonObject[]> => {
    const apiVersion = `${group}/${to.name}`;
    const differ = objects.filter((object) => object['apiVersion'] !== apiVersion);
    if (differ.length === 0) return objects;
    if (conversion?.strategy === 'Webhook') return converter.convert(definition, objects, apiVersion);
    return objects.map((object) => ({ ...object, apiVersion }));
  };
  return {
    fromStored: async (objects) =>
      (await convert(objects, version)).map((object) => readCustomResource(version, object)),
    toStored: async (object) => (await convert([object], storage))[0] ?? object,
  };
}
