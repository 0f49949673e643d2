import { equalJson, type FieldError, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { listOf, objectOf } from '../lenient-json.ts';
import { metadataOf } from '../store/index.ts';
import { structuralProblems } from './structural-schema.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

/** Validates a definition on its own, in steps; validateDefinitionUpdate compares it with the previous one. */
export function* validateDefinition(definition: JsonObject): Steps<readonly FieldError[]> {
  const spec = objectOf(definition['spec']);
  const versions = listOf(spec['versions']).map(objectOf);
  return [
    ...nameProblems(definition, spec),
    ...scopeProblems(spec),
    ...versionsProblems(versions),
    ...(yield* schemaProblems(versions)),
    ...versions.flatMap((version, index) => presentationProblems(version, `spec.versions[${index}]`)),
  ];
}

/** Validates an update: immutable fields and versions that are still stored. */
export function validateDefinitionUpdate(definition: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectOf(definition['spec']), objectOf(old['spec'])];
  return [
    ...storedVersionProblems(definition, old),
    ...immutableProblem('spec.group', spec['group'], oldSpec['group']),
    ...(isEstablished(old)
      ? [
          ...immutableProblem('spec.scope', spec['scope'], oldSpec['scope']),
          ...immutableProblem(
            'spec.names.kind',
            member(spec['names'], 'kind'),
            member(oldSpec['names'], 'kind'),
          ),
        ]
      : []),
    ...immutableProblem(
      'spec.names.plural',
      member(spec['names'], 'plural'),
      member(oldSpec['names'], 'plural'),
    ),
  ];
}

function immutableProblem(field: string, value: Json | undefined, old: Json | undefined): FieldError[] {
  if (value === old) return [];
  return [{ type: 'Invalid', field, value: value ?? '', detail: 'field is immutable' }];
}

function isEstablished(definition: JsonObject): boolean {
  return listOf(member(definition['status'], 'conditions')).some(
    (condition) => member(condition, 'type') === 'Established' && member(condition, 'status') === 'True',
  );
}

function nameProblems(definition: JsonObject, spec: JsonObject): FieldError[] {
  const { name } = metadataOf(definition);
  const wanted = `${member(spec['names'], 'plural')}.${spec['group']}`;
  if (name === wanted) return [];
  const detail = 'must be spec.names.plural+"."+spec.group';
  return [{ type: 'Invalid', field: 'metadata.name', value: name ?? '', detail }];
}

function scopeProblems({ scope }: JsonObject): FieldError[] {
  if (scope === 'Namespaced' || scope === 'Cluster') return [];
  if (scope === undefined || scope === '') return [{ type: 'Required', field: 'spec.scope' }];
  const detail = 'supported values: "Cluster", "Namespaced"';
  return [{ type: 'NotSupported', field: 'spec.scope', value: scope, detail }];
}

function versionsProblems(versions: readonly JsonObject[]): FieldError[] {
  const problem = (detail: string): FieldError => ({
    type: 'Invalid',
    field: 'spec.versions',
    value: [...versions],
    detail,
  });
  const stored = versions.filter((version) => version['storage'] === true);
  const names = new Set(versions.map((version) => version['name']));
  return [
    ...(names.size < versions.length ? [problem('must contain unique version names')] : []),
    ...(stored.length === 1 ? [] : [problem('must have exactly one version marked as storage version')]),
  ];
}

/**
 * kube-apiserver moves a schema that all versions share to spec.validation before it validates, so errors
 * have that path.
 */
function* schemaProblems(versions: readonly JsonObject[]): Steps<readonly FieldError[]> {
  const schemas = versions.map((version) => member(version['schema'], 'openAPIV3Schema'));
  const missing = schemas.flatMap((schema, index): FieldError[] =>
    schema === undefined
      ? [
          {
            type: 'Required',
            field: `spec.versions[${index}].schema.openAPIV3Schema`,
            detail: 'schemas are required',
          },
        ]
      : [],
  );
  if (missing.length > 0) return missing;
  const [first] = schemas;
  const isShared = schemas.every((schema) => equalJson(schema ?? null, first ?? null));
  if (isShared) return yield* structuralProblems(objectOf(first), 'spec.validation.openAPIV3Schema');
  const problems: FieldError[] = [];
  for (const [index, schema] of schemas.entries()) {
    const path = `spec.versions[${index}].schema.openAPIV3Schema`;
    for (const problem of yield* structuralProblems(objectOf(schema), path)) problems.push(problem);
  }
  return problems;
}

function presentationProblems(version: JsonObject, path: string): FieldError[] {
  const columns = listOf(version['additionalPrinterColumns']);
  const scale = member(version['subresources'], 'scale');
  return [
    ...columns.flatMap((column, index) =>
      columnProblems(column, `${path}.additionalPrinterColumns[${index}]`),
    ),
    ...(scale === undefined ? [] : scaleProblems(scale, `${path}.subresources.scale`)),
  ];
}

function columnProblems(column: Json, path: string): FieldError[] {
  const type = member(column, 'type') ?? '';
  const jsonPath = member(column, 'jsonPath') ?? '';
  const supported = columnTypes.map((each) => `"${each}"`).join(', ');
  return [
    ...(columnTypes.includes(String(type))
      ? []
      : [
          {
            type: 'NotSupported',
            field: `${path}.type`,
            value: type,
            detail: `supported values: ${supported}`,
          } as const,
        ]),
    ...(String(jsonPath).startsWith('.')
      ? []
      : [
          {
            type: 'Invalid',
            field: `${path}.jsonPath`,
            value: jsonPath,
            detail: 'must be a simple json path starting with .',
          } as const,
        ]),
  ];
}

function scaleProblems(scale: Json, path: string): FieldError[] {
  const under = (field: string, root: string): FieldError[] => {
    const value = String(member(scale, field) ?? '');
    if (value === '') return [{ type: 'Required', field: `${path}.${field}` }];
    if (value.startsWith(`${root}.`)) return [];
    return [
      { type: 'Invalid', field: `${path}.${field}`, value, detail: `should be a json path under ${root}` },
    ];
  };
  return [...under('specReplicasPath', '.spec'), ...under('statusReplicasPath', '.status')];
}

/** A version that was once a storage version cannot be removed: objects may still be stored in it. */
function storedVersionProblems(definition: JsonObject, old: JsonObject): FieldError[] {
  const names = new Set(listOf(member(definition['spec'], 'versions')).map((each) => member(each, 'name')));
  return listOf(member(old['status'], 'storedVersions')).flatMap((stored, index): FieldError[] =>
    names.has(stored)
      ? []
      : [
          {
            type: 'Invalid',
            field: `status.storedVersions[${index}]`,
            value: stored,
            detail: `missing from spec.versions; ${oldVersionAdvice(String(stored))}`,
          },
        ],
  );
}

function oldVersionAdvice(version: string): string {
  return `${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
}
