/**
 * A type as Kubernetes' own program declares it. Kubernetes is written in Go, and what its JSON leaves out and
 * how its error messages read follows from the Go types.
 */
export interface GoType {
  readonly shape:
    | 'string'
    | 'boolean'
    | 'integer'
    | 'number'
    | 'bytes'
    | 'list'
    | 'map'
    | 'struct'
    | 'opaque';
  /** As error messages name it: `int32`, `v1.PullPolicy`, `[]v1.Container`. */
  readonly text: string;
  /** A pointer tells an empty value from an absent one. */
  readonly isPointer: boolean;
  /** Of the items of a list or the entries of a map. */
  readonly element?: GoType;
  /** The full name of the definition of a struct or an opaque type: `core.v1.Container`. */
  readonly definition?: string;
  /** For integers, how many bits hold them. */
  readonly bits?: 32 | 64;
}

export interface GoField {
  /** In JSON. */
  readonly name: string;
  /** In error messages, which also name the struct that an embedded field comes from. */
  readonly path: string;
  readonly type: GoType;
  /** Stands in JSON even when empty. */
  readonly isKept: boolean;
  /** A struct that is left out when all of it is empty, as only few are. */
  readonly omitsZero: boolean;
  readonly isRequired: boolean;
  readonly listType?: 'atomic' | 'set' | 'map' | 'granular';
  readonly mapKeys?: readonly string[];
  readonly mergeKey?: string;
  readonly patchStrategy?: string;
  readonly values?: readonly string[];
  /** Of the items of a list or the entries of a map. */
  readonly elementValues?: readonly string[];
  readonly default?: string;
}

export interface GoDefinition {
  /** `core.v1.Container`. */
  readonly name: string;
  /** `Container`. */
  readonly shortName: string;
  /** Whether the type reads and writes its JSON by code of its own. */
  readonly isOpaque: boolean;
  /** Set where server-side apply takes the struct as one value. */
  readonly isAtomic: boolean;
  readonly fields: readonly GoField[];
  readonly fieldsByName: ReadonlyMap<string, GoField>;
}
