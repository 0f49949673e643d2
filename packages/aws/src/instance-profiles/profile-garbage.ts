export interface ProfileUse {
  /** Profiles in the status of an EC2NodeClass. */
  readonly inStatus: ReadonlySet<string>;
  /** Profiles in the annotation of a NodeClaim. */
  readonly annotated: ReadonlySet<string>;
  /** Created or replaced lately, so that a user may not be recorded yet. */
  readonly isProtected: (name: string) => boolean;
}

/** Returns the profiles of the cluster that nothing uses. */
export function garbageProfiles(
  names: readonly string[],
  { inStatus, annotated, isProtected }: ProfileUse,
): readonly string[] {
  return names.filter((name) => !inStatus.has(name) && !annotated.has(name) && !isProtected(name));
}
