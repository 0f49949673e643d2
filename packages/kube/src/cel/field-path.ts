import { type JsonSchema, memberPath, memberSchema } from '@karpenter/core/schema';

// `.name`, `['name']` or `["name"]`.
const steps = /\.([A-Za-z_$][\w$]*)|\[\s*(?:'((?:\\[\s\S]|[^'\\])*)'|"((?:\\[\s\S]|[^"\\])*)")\s*\]/g;

/** Resolves a rule's `fieldPath` against the path and schema of the value that has the rule. */
export function pathBelow(schema: JsonSchema, path: string, fieldPath: string): string {
  let place = { schema, path };
  for (const [, plain, single, double] of fieldPath.matchAll(steps)) {
    const name = plain ?? (single ?? double ?? '').replace(/\\([\s\S])/g, '$1');
    place = {
      schema: memberSchema(place.schema, name) ?? {},
      path: memberPath(place.schema, place.path, name),
    };
  }
  return place.path;
}
