import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { componentReference, definitionComponent } from './component-names.ts';

const objectMeta = definitionComponent('meta.v1.ObjectMeta');

/** A custom kind as its definition describes it, and with the parts that every object has. */
export function customComponent({ schema }: ServedKind): JsonObject {
  const published = plainSchema(schema);
  const properties = isJsonObject(published['properties']) ? published['properties'] : {};
  return {
    ...published,
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      ...properties,
      metadata: { allOf: [componentReference(objectMeta)] },
    },
  };
}

/** JSON without what only TypeScript knows: absent members and shared parts. */
function plainSchema(schema: JsonSchema): JsonObject {
  const parsed: Json = JSON.parse(JSON.stringify(schema));
  return isJsonObject(parsed) ? parsed : {};
}
