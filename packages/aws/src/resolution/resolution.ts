/** Why a selector matched nothing, for a condition of the EC2NodeClass. */
export interface ResolutionFailure {
  readonly reason: string;
  readonly message: string;
}

/** Result of a selector of an EC2NodeClass. On failure the caller clears the list in the status. */
export type Resolution<T> =
  | { readonly found: T }
  | { readonly found?: undefined; readonly failure: ResolutionFailure };

/** Wraps a list; an empty one becomes the failure. */
export function foundOr<T>(found: readonly T[], failure: ResolutionFailure): Resolution<readonly T[]> {
  return found.length === 0 ? { failure } : { found };
}

/** The metadata that identifies a version of a class's spec. */
export interface ResolvedClass {
  readonly metadata: { readonly uid?: string; readonly generation?: number };
}

/** Cache key of what a class's selectors resolve to; any change of the spec is a new generation. */
export function generationKey({ metadata }: ResolvedClass): string {
  return `${metadata.uid ?? ''}-${metadata.generation ?? 0}`;
}
