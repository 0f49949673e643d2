import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { componentReference, definitionComponent } from './component-names.ts';

const objectMeta = definitionComponent('meta.v1.ObjectMeta');

/** The schema of a custom kind, with the fields that every object has. */
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

/** A plain JSON copy: without undefined members and shared references. */
function plainSchema(schema: JsonSchema): JsonObject {
  const parsed: Json = JSON.parse(JSON.stringify(schema));
  return isJsonObject(parsed) ? parsed : {};
}
