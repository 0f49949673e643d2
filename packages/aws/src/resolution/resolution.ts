/** Why nothing was found, for the condition of an EC2NodeClass. */
export interface ResolutionFailure {
  readonly reason: string;
  readonly message: string;
}

/** What a selector of an EC2NodeClass found. With a failure, the list of the status is to be cleared. */
export type Resolution<T> =
  | { readonly found: T }
  | { readonly found?: undefined; readonly failure: ResolutionFailure };

/** A list, or the failure that an empty one is. */
export function foundOr<T>(found: readonly T[], failure: ResolutionFailure): Resolution<readonly T[]> {
  return found.length === 0 ? { failure } : { found };
}

/** Of a class, all that resolving depends on: a change of the spec is another generation. */
export interface ResolvedClass {
  readonly metadata: { readonly uid?: string; readonly generation?: number };
}

export function generationKey({ metadata }: ResolvedClass): string {
  return `${metadata.uid ?? ''}-${metadata.generation ?? 0}`;
}
