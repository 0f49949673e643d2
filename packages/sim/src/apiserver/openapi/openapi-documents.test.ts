import type { JsonObject } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { builtInKinds } from '../kinds/built-in-kinds.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { customTable } from '../tables/custom-table.ts';
import { OpenApiDocuments } from './openapi-documents.ts';

const [model] = builtInKinds();
if (model === undefined) throw new Error('no built-in kinds');

const { definition: _, ...base } = model;
const custom = (maximum: number): ServedKind => ({
  ...base,
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodePool',
  listKind: 'NodePoolList',
  plural: 'nodepools',
  singular: 'nodepool',
  namespaced: false,
  verbs: ['get', 'list', 'patch'],
  isCustom: true,
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { weight: { type: 'integer', maximum } } } },
  },
  table: customTable([]),
});

const path = 'apis/karpenter.sh/v1';
const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((found, name) => (found as JsonObject | undefined)?.[name], value);

describe('OpenAPI documents', () => {
  it('describe a custom kind in the document of its group and version', () => {
    const document = new OpenApiDocuments('1.36').document([custom(100)], path);
    const schema = at(document, 'components', 'schemas', 'sh.karpenter.v1.NodePool');
    expect(at(schema, 'x-kubernetes-group-version-kind')).toEqual([
      { group: 'karpenter.sh', kind: 'NodePool', version: 'v1' },
    ]);
    expect(at(schema, 'properties', 'spec', 'properties', 'weight')).toEqual({
      type: 'integer',
      maximum: 100,
    });
    expect(at(schema, 'properties', 'metadata')).toEqual({
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    });
  });

  it('advertise field validation and dry run', () => {
    const document = new OpenApiDocuments('1.36').document([custom(100)], path);
    const patch = at(document, 'paths', '/apis/karpenter.sh/v1/nodepools/{name}', 'patch');
    const names = (at(patch, 'parameters') as readonly JsonObject[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
  });

  it('get a new URL only when their kinds change', () => {
    const documents = new OpenApiDocuments('1.36');
    const before = documents.hash([custom(100)], path);
    const kept = documents.document([custom(100)], path);
    expect(documents.document([custom(100)], path)).toBe(kept);
    expect(documents.hash([custom(101)], path)).not.toBe(before);
    expect(documents.document([custom(101)], path)).not.toBe(kept);
    expect(documents.document([custom(100)], 'apis/none/v1')).toBeUndefined();
  });
});
