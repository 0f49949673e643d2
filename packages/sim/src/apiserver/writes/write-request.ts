import type { JsonObject } from '@karpenter/core/schema';
import type { User } from '../auth/index.ts';
import type { FieldValidation, ServedKind } from '../kinds/served-kind.ts';
import { type Shown, showEntries } from '../reads/presentation.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import type { StatusSubject } from '../status/status-errors.ts';
import type { Entry } from '../store/index.ts';

/** One write, parsed from the HTTP request or built by a controller of the server. */
export interface WriteRequest {
  readonly kind: ServedKind;
  readonly user: User;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty on create, except when a PUT or an apply creates the object. */
  readonly name: string;
  /** `status` or empty; other subresources have handlers of their own. */
  readonly subresource: '' | 'status';
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The field manager. */
  readonly manager: string;
  readonly nowMs: number;
  warn(text: string): void;
}

export interface WriteResult {
  readonly code: 200 | 201 | 202;
  /** The result in the API version of the request. */
  readonly shown: Shown;
}

export function subjectOf({ kind, name }: Pick<WriteRequest, 'kind' | 'name'>): StatusSubject {
  return { group: kind.group, plural: kind.plural, name };
}

export function collectionFor({ kind }: Pick<WriteRequest, 'kind'>): string {
  return collectionOf(kind);
}

/** An entry's object in the API version of the request. */
export async function shownIn({ kind }: Pick<WriteRequest, 'kind'>, entry: Entry): Promise<Shown> {
  if (kind.conversion === undefined) return entry;
  const [shown] = await showEntries(kind, [entry]);
  return shown ?? entry;
}

/** An object that is returned but not stored, as in a dry run. */
export function unstored(object: JsonObject): Shown {
  return { object, json: JSON.stringify(object) };
}

/** The object in the storage version. */
export async function storedFrom(
  { kind }: Pick<WriteRequest, 'kind'>,
  object: JsonObject,
): Promise<JsonObject> {
  return kind.conversion === undefined ? object : kind.conversion.toStored(object);
}
