import { NormalizedSchema } from '@smithy/core/schema';

/** A type on the wire, as the AWS SDK describes it. */
export type Shape = NormalizedSchema;

export function shapeOf(schema: Parameters<typeof NormalizedSchema.of>[0]): Shape {
  return NormalizedSchema.of(schema);
}

/** The value of a trait that is a text, such as the name of a member in XML. */
export function traitText(shape: Shape, trait: string): string | undefined {
  const value = traitOf(shape, trait);
  return typeof value === 'string' ? value : undefined;
}

export function hasTrait(shape: Shape, trait: string): boolean {
  return Boolean(traitOf(shape, trait));
}

export function traitOf(shape: Shape, trait: string): unknown {
  return new Map<string, unknown>(Object.entries(shape.getMergedTraits())).get(trait);
}
