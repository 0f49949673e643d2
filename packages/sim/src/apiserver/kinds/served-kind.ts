import type { FieldError, Json, JsonObject, JsonSchema } from '@karpenter/core/schema';

/** One version of one resource as the server serves it: built in, or made from a CustomResourceDefinition. */
export interface ServedKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly scale?: ScalePaths;
  /** The whole object, with `metadata`; lists say how they merge. */
  readonly schema: JsonSchema;
  /** Built-in kinds only: what the schema is called among the definitions, `core.v1.Pod`. */
  readonly definition?: string;
  /** What everybody who uses this version is warned of. */
  readonly deprecation?: string;
  readonly isCustom: boolean;
  /** Whether `metadata.generation` counts changes outside `metadata` and `status`. */
  readonly countsGenerations: boolean;
  /** Whether it counts changes of annotations too, other than those that come with the status. */
  readonly countsAnnotations?: boolean;
  /** PUT without `metadata.resourceVersion` overwrites. */
  readonly allowsUnconditionalUpdate: boolean;
  /** PUT and server-side apply of an absent object make it; apply always does. */
  readonly allowsCreateOnUpdate: boolean;
  /** What field selectors may name beside `metadata.name` and `metadata.namespace`, and how to read it. */
  readonly fieldSelectors: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly table: TableView;
  /** Where objects are stored in another version or shape than this one. */
  readonly conversion?: Conversion;
  readonly behaviour: KindBehaviour;
  /** The resource that holds the objects, where that is another: it needs a conversion. */
  readonly storedAs?: { readonly group: string; readonly plural: string };
}

export interface Subresource {
  /** `status`, `scale`, `eviction`, … */
  readonly name: string;
  /** What it takes and returns, where that is not the parent's own kind. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority: number;
}

export interface TableView {
  readonly columns: readonly TableColumn[];
  /** One cell for each column. */
  cells(object: JsonObject, nowMs: number): readonly Json[];
}

export interface Conversion {
  /** To this version, in the same order. */
  fromStored(objects: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  /** From this version to the stored one. */
  toStored(object: JsonObject): Promise<JsonObject>;
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface Decoded {
  /** Without what the kind does not know, with its defaults. */
  readonly object: JsonObject;
  /** Texts for `Warning` headers. */
  readonly warnings: readonly string[];
}

/** What is particular to a kind on the way from a request to the store. Pure; the time is given. */
export interface KindBehaviour {
  /**
   * From the JSON of a request or a patch result to an object of the kind: wrong types are refused, unknown
   * fields reported as `fieldValidation` says and dropped, defaults filled in. Throws a StatusError. Parts that are
   * the very ones of `known`, an object of the kind, need no second look.
   */
  decode(body: JsonObject, fieldValidation: FieldValidation, known?: JsonObject): Decoded;
  /**
   * What the write may not bring along is put back: status on a create or on an update of the object itself,
   * everything else on a write to `status`. `old` is absent on create.
   */
  prepare(object: JsonObject, old: JsonObject | undefined, subresource: string | undefined): JsonObject;
  /** Beyond metadata, which the server checks itself. */
  validate(
    object: JsonObject,
    old: JsonObject | undefined,
    subresource: string | undefined,
  ): readonly FieldError[];
  /** Texts for `Warning` headers about an accepted object. */
  warnings?(object: JsonObject): readonly string[];
  /** Why a text is no name of this kind, in the API server's words; absent where any DNS subdomain is one. */
  nameProblems?(name: string): readonly string[];
}
