import type { FieldError, Json, JsonObject, JsonSchema } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';

/** One version of one resource as the server serves it: built in, or from a CustomResourceDefinition. */
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
  /** Schema of the whole object including `metadata`, with the merge type of lists. */
  readonly schema: JsonSchema;
  /** Built-in kinds only: the definition name of the schema, such as `core.v1.Pod`. */
  readonly definition?: string;
  /** Warning for every client that uses this version. */
  readonly deprecation?: string;
  readonly isCustom: boolean;
  /** Whether `metadata.generation` counts changes outside `metadata` and `status`. */
  readonly countsGenerations: boolean;
  /** Whether changes of annotations also increase it, except those written with the status. */
  readonly countsAnnotations?: boolean;
  /** PUT without `metadata.resourceVersion` overwrites unconditionally. */
  readonly allowsUnconditionalUpdate: boolean;
  /** PUT of an absent object creates it. Server-side apply always does. */
  readonly allowsCreateOnUpdate: boolean;
  /** Fields for field selectors besides `metadata.name` and `metadata.namespace`, and how to read them. */
  readonly fieldSelectors: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly table: TableView;
  /** Set if objects are stored in another version or shape. */
  readonly conversion?: Conversion;
  readonly behaviour: KindBehaviour;
  /** The resource that stores the objects, if it is another one; requires a conversion. */
  readonly storedAs?: { readonly group: string; readonly plural: string };
}

export interface Subresource {
  /** `status`, `scale`, `eviction`, … */
  readonly name: string;
  /** The kind that it accepts and returns, if it is not the parent's. */
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
  /** Converts to this version, preserving order. */
  fromStored(objects: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  /** Converts from this version to the stored one. */
  toStored(object: JsonObject): Promise<JsonObject>;
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface Decoded {
  /** Without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Values of `Warning` headers. */
  readonly warnings: readonly string[];
}

/** The steps between a request and the store that depend on the kind. Pure: the caller passes the time. */
export interface KindBehaviour {
  /**
   * Decodes the JSON of a request or of a patch result into an object of the kind: rejects wrong types,
   * reports unknown fields as `fieldValidation` says and drops them, sets defaults. Throws a StatusError.
   * Parts that are identical to parts of `known`, an object of the kind, are not decoded again.
   */
  decode(body: JsonObject, fieldValidation: FieldValidation, known?: JsonObject): Decoded;
  /**
   * Resets what the write must not change: the status on a create or on an update of the object itself,
   * everything else on a write to `status`. `old` is undefined on create.
   */
  prepare(object: JsonObject, old: JsonObject | undefined, subresource: string | undefined): JsonObject;
  /** Validates everything except metadata, which the server validates itself, in steps. */
  validate(
    object: JsonObject,
    old: JsonObject | undefined,
    subresource: string | undefined,
  ): Steps<readonly FieldError[]>;
  /** Values of `Warning` headers for an accepted object. */
  warnings?(object: JsonObject): readonly string[];
  /**
   * Why a string is not a valid name of this kind, in the words of the API server; undefined if any DNS
   * subdomain is valid.
   */
  nameProblems?(name: string): readonly string[];
}
