export interface ProfileUse {
  /** In the status of some class. */
  readonly inStatus: ReadonlySet<string>;
  /** Named by the annotation of some NodeClaim. */
  readonly annotated: ReadonlySet<string>;
  /** Made or replaced lately: whoever uses it may not have said so yet. */
  readonly isProtected: (name: string) => boolean;
}

/** Profiles under the path of the cluster that nothing uses any more. */
export function garbageProfiles(
  names: readonly string[],
  { inStatus, annotated, isProtected }: ProfileUse,
): readonly string[] {
  return names.filter((name) => !inStatus.has(name) && !annotated.has(name) && !isProtected(name));
}
