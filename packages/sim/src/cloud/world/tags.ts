export type Tags = ReadonlyMap<string, string>;

export interface Tag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

export interface TagSpecification {
  readonly ResourceType?: string | undefined;
  readonly Tags?: readonly Tag[] | undefined;
}

export interface Tagged {
  readonly tags: Tags;
}

/** Tags as plain data. */
export type SavedTags = readonly (readonly [string, string])[];

export function tagsOf(tags: readonly Tag[] | undefined): Map<string, string> {
  return new Map((tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
}

/** The tags of all specifications for a resource type; later specifications win. */
export function specifiedTags(
  specifications: readonly TagSpecification[] | undefined,
  resourceType: string,
): Map<string, string> {
  const fitting = (specifications ?? []).filter(({ ResourceType }) => ResourceType === resourceType);
  return tagsOf(fitting.flatMap(({ Tags }) => Tags ?? []));
}

export function tagList(tags: Tags): { Key: string; Value: string }[] {
  return [...tags].map(([Key, Value]) => ({ Key, Value }));
}
