import { admitCustomResource, type JsonSchema } from '@karpenter/core/schema';
import { CelRuleChecker } from '@karpenter/kube/cel';
import { refusalCases, samples, unmetConstraints } from '@karpenter/testkit/custom-resources';
import { describe, expect, it } from 'vitest';
import { customResources } from './custom-resources.ts';

const rules = new CelRuleChecker();
const definitions = customResources.map(({ definition }) => definition);

describe.each(definitions)('$spec.names.kind', (definition) => {
  it.each(samples.filter(({ object }) => object['kind'] === definition.spec.names.kind))(
    'admits $title',
    ({ object }) => {
      const answer = admitCustomResource({ definition, object, fieldValidation: 'Strict', rules });
      expect(answer).toMatchObject({ code: 201, object: { spec: object['spec'] } });
    },
  );

  it('describes every field in a sentence', () => {
    expect(undescribed(definition.spec.versions[0]?.schema.openAPIV3Schema ?? {}, '')).toEqual([]);
  });

  it('has a sample for each constraint of its schema', () => {
    expect(unmetConstraints(definition)).toEqual([]);
  });

  it.each(refusalCases(definition))('refuses what breaks $title', ({ object, oldObject, field, message }) => {
    const isStatus = field.startsWith('status');
    const before = isStatus ? { ...object, status: {} } : oldObject;
    const answer = admitCustomResource({
      definition,
      object,
      ...(before === undefined ? {} : { oldObject: before }),
      ...(isStatus ? { subresource: 'status' as const } : {}),
      fieldValidation: 'Strict',
      rules,
    });
    const causes = 'causes' in answer ? answer.causes.filter((cause) => cause.field === field) : [];
    expect(causes.map((cause) => cause.message)).toContainEqual(
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    );
  });
});

/** Fields without a sentence of their own; the metadata of an object is Kubernetes' to describe. */
function undescribed({ properties = {}, items, additionalProperties }: JsonSchema, path: string): string[] {
  const named = Object.entries(properties).filter(([name]) => `${path}.${name}` !== '.metadata');
  return [
    ...named
      .filter(([, { description = '' }]) => !description.endsWith('.'))
      .map(([name]) => `${path}.${name}`),
    ...named.flatMap(([name, schema]) => undescribed(schema, `${path}.${name}`)),
    ...(items === undefined ? [] : undescribed(items, `${path}[]`)),
    ...(typeof additionalProperties === 'object' ? undescribed(additionalProperties, `${path}{}`) : []),
  ];
}
