/**
 * A type as Kubernetes declares it. Kubernetes is written in Go, and the Go types determine what its JSON
 * omits and how its error messages read.
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
  /** The name in error messages: `int32`, `v1.PullPolicy`, `[]v1.Container`. */
  readonly text: string;
  /** A pointer distinguishes an empty value from an absent one. */
  readonly isPointer: boolean;
  /** Type of the items of a list or the values of a map. */
  readonly element?: GoType;
  /** Full name of the definition of a struct or an opaque type: `core.v1.Container`. */
  readonly definition?: string;
  /** Size of an integer in bits. */
  readonly bits?: 32 | 64;
}

export interface GoField {
  /** Name in JSON. */
  readonly name: string;
  /** Name in error messages, which include the struct that an embedded field comes from. */
  readonly path: string;
  readonly type: GoType;
  /** Present in JSON even when empty. */
  readonly isKept: boolean;
  /** A struct that JSON omits when all of it is empty (`omitzero`); rare. */
  readonly omitsZero: boolean;
  readonly isRequired: boolean;
  readonly listType?: 'atomic' | 'set' | 'map' | 'granular';
  readonly mapKeys?: readonly string[];
  readonly mergeKey?: string;
  readonly patchStrategy?: string;
  readonly values?: readonly string[];
  /** Allowed values of the items of a list or the values of a map. */
  readonly elementValues?: readonly string[];
  readonly default?: string;
}

export interface GoDefinition {
  /** `core.v1.Container`. */
  readonly name: string;
  /** `Container`. */
  readonly shortName: string;
  /** Whether the type has its own JSON encoding and decoding. */
  readonly isOpaque: boolean;
  /** Set if server-side apply treats the struct as one value. */
  readonly isAtomic: boolean;
  readonly fields: readonly GoField[];
  readonly fieldsByName: ReadonlyMap<string, GoField>;
}
