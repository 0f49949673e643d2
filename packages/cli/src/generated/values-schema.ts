import { customResources } from '@karpenter/aws';
import type { JsonSchema } from '@karpenter/core/schema';
import type { GeneratedFile } from './generated-file.ts';

/** A JSON schema of draft 7, which Helm checks values with. */
type ValuesSchema = Readonly<Record<string, unknown>>;

/**
 * The schema of the values of karpenter-nodepools. It holds the specs as the API defines them, so that Helm rejects
 * a misspelled field, which an API server drops without a word.
 */
export function nodePoolValuesSchema(): GeneratedFile {
  const nodePool = valuesSchema(specOf('NodePool'), 'merged');
  const nodeClass = valuesSchema(specOf('EC2NodeClass'), 'merged');
  const metadata = { enabled: { type: 'boolean' }, labels: textMap, annotations: textMap };
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart karpenter-nodepools',
    definitions: { nodePool, nodeClass, requirements: requirementsOf(specOf('NodePool')) },
    ...closed({
      global: { type: ['object', 'null'] },
      enabled: {
        type: 'boolean',
        description: 'For the condition of a parent chart; this chart does not read it.',
      },
      clusterName: { type: 'string' },
      additionalLabels: textMap,
      additionalAnnotations: textMap,
      keepOnUninstall: { type: 'boolean' },
      nodeClassDefaults: definition('nodeClass'),
      nodeClasses: byName({ ...metadata, spec: definition('nodeClass') }),
      nodePoolDefaults: definition('nodePool'),
      nodePools: byName({
        ...metadata,
        nodeClass: { type: 'string', minLength: 1 },
        requirements: definition('requirements'),
        spec: definition('nodePool'),
      }),
    }),
  };
  const path = 'charts/karpenter-nodepools/values.schema.json';
  return { path, text: `${JSON.stringify(schema, null, 1)}\n` };
}

const textMap = {
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};

function definition(name: string): ValuesSchema {
  return { $ref: `#/definitions/${name}` };
}

function closed(properties: ValuesSchema): ValuesSchema {
  return { type: 'object', additionalProperties: false, properties };
}

function byName(properties: ValuesSchema): ValuesSchema {
  return { type: ['object', 'null'], additionalProperties: closed(properties) };
}

function specOf(kind: string): JsonSchema {
  const found = customResources.find(({ definition: { spec } }) => spec.names.kind === kind);
  return found?.definition.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {};
}

function requirementsOf(nodePool: JsonSchema): ValuesSchema {
  const requirements = nodePool.properties?.['template']?.properties?.['spec']?.properties?.['requirements'];
  return valuesSchema(requirements ?? {}, 'whole');
}

/** Whether defaults may fill in what an object lacks. Helm merges objects; it replaces lists with all their items. */
type Use = 'merged' | 'whole';

/**
 * The same schema in the words of draft 7. Rules in CEL and list types have none there; the API server still checks
 * them.
 */
function valuesSchema(schema: JsonSchema, use: Use): ValuesSchema {
  const { pattern, minimum, maximum, minLength, maxLength, minItems, maxItems, description } = schema;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  return withoutAbsent({
    description,
    type: isIntOrString ? ['integer', 'string'] : schema.type,
    enum: schema.enum,
    pattern,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    required: use === 'merged' ? undefined : schema.required,
    items: schema.items && valuesSchema(schema.items, 'whole'),
    properties: childrenOf(schema, use),
    additionalProperties: additional(schema, use),
  });
}

function childrenOf({ properties }: JsonSchema, use: Use): ValuesSchema | undefined {
  if (properties === undefined) return undefined;
  const children = Object.entries(properties).map(([name, child]) => [name, valuesSchema(child, use)]);
  return Object.fromEntries(children);
}

function additional(
  { properties, additionalProperties }: JsonSchema,
  use: Use,
): ValuesSchema | boolean | undefined {
  if (typeof additionalProperties === 'object') return valuesSchema(additionalProperties, use);
  return properties === undefined ? additionalProperties : false;
}

function withoutAbsent(schema: ValuesSchema): ValuesSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
