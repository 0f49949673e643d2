import { NormalizedSchema } from '@smithy/core/schema';

/** A type on the wire, as the AWS SDK describes it. */
export type WireShape = NormalizedSchema;

export function shapeOf(schema: Parameters<typeof NormalizedSchema.of>[0]): WireShape {
  return NormalizedSchema.of(schema);
}

/** The value of a trait that is a text, such as the name of a member in XML. */
export function traitText(shape: WireShape, trait: string): string | undefined {
  const value = traitOf(shape, trait);
  return typeof value === 'string' ? value : undefined;
}

export function hasTrait(shape: WireShape, trait: string): boolean {
  return Boolean(traitOf(shape, trait));
}

export function traitOf(shape: WireShape, trait: string): unknown {
  return new Map<string, unknown>(Object.entries(shape.getMergedTraits())).get(trait);
}

/** The members of a value by name; none if it is no object. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
