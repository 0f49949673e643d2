import type { Json, JsonObject } from '@karpenter/core/schema';

/** Path from the root of an object: property names, map keys and list indexes. */
export type PropertyPath = readonly (string | number)[];

export function at(value: Json | undefined, path: PropertyPath): Json | undefined {
  return path.reduce<Json | undefined>((place, step) => {
    if (place === null || typeof place !== 'object') return undefined;
    return (place as { readonly [step: string | number]: Json | undefined })[step];
  }, value);
}

/** A copy of the object with another value at the path; `undefined` removes the value. */
export function withValueAt(object: JsonObject, path: PropertyPath, value: Json | undefined): JsonObject {
  return change(object, path, value) as JsonObject;
}

function change(
  place: Json | undefined,
  [step, ...rest]: PropertyPath,
  value: Json | undefined,
): Json | undefined {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(place) ? (place as readonly Json[]) : [];
    return [...list.slice(0, step), change(list[step], rest, value) ?? null, ...list.slice(step + 1)];
  }
  const { [step]: old, ...others } = (place ?? {}) as JsonObject;
  const changed = change(old, rest, value);
  return changed === undefined ? others : { ...others, [step]: changed };
}

/** In the notation of the API server: `spec.taints[0].key`, map keys after a dot. */
export function pathText(path: PropertyPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The first place in the object that matches the steps of a schema. */
export function locate(value: Json | undefined, steps: readonly string[]): PropertyPath | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return value === undefined ? undefined : [];
  for (const [name, child] of children(value, step)) {
    const found = locate(child, rest);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}

function children(value: Json | undefined, step: string): readonly (readonly [string | number, Json])[] {
  if (value === null || typeof value !== 'object') return [];
  if (step === '[]') return Array.isArray(value) ? value.map((item, index) => [index, item] as const) : [];
  if (Array.isArray(value)) return [];
  return Object.entries(value as JsonObject).filter(([name]) => step === '{}' || name === step);
}
