import type { Schema } from './builder.ts';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition.ts';
import type { JsonSchema } from './json-schema.ts';

/** The fields of `metadata` that this product reads and writes. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly CompleteOwnerReference[];
}

export interface CompleteOwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** An API object as an API server returns it. */
export interface Resource<Spec, Status> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

export interface ResourceKindOptions<Spec, Status> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly shortNames?: readonly string[];
  readonly categories: readonly string[];
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  readonly spec: Schema<Spec>;
  /** Whether an object without `spec` is rejected. */
  readonly specRequired: boolean;
  readonly status: Schema<Status>;
}

/** An API kind: the types of its objects, by type parameters, and its CRD. */
export interface ResourceKind<Spec, Status> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly definition: CustomResourceDefinition;
  readonly spec: Schema<Spec>;
  readonly status: Schema<Status>;
}

export type ResourceOf<K> = K extends ResourceKind<infer Spec, infer Status> ? Resource<Spec, Status> : never;

/** Creates a kind with a single version, which is served and stored, and a status subresource. */
export function resourceKind<Spec, Status>(
  options: ResourceKindOptions<Spec, Status>,
): ResourceKind<Spec, Status> {
  return {
    apiVersion: `${options.group}/${options.version}`,
    kind: options.kind,
    definition: definitionOf(options),
    spec: options.spec,
    status: options.status,
  };
}

function definitionOf<Spec, Status>(options: ResourceKindOptions<Spec, Status>): CustomResourceDefinition {
  const { group, version, kind, plural, scope, shortNames, categories, columns, scale } = options;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        categories,
        kind,
        listKind: `${kind}List`,
        plural,
        ...(shortNames === undefined ? {} : { shortNames }),
        singular: kind.toLowerCase(),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: rootSchema(options) },
          subresources: { ...(scale === undefined ? {} : { scale }), status: {} },
        },
      ],
    },
  };
}

function rootSchema<Spec, Status>(options: ResourceKindOptions<Spec, Status>): JsonSchema {
  return {
    description: options.description,
    type: 'object',
    properties: {
      apiVersion: {
        description: 'The group and version of the API this object is written in.',
        type: 'string',
      },
      kind: { description: 'The kind of this object, in CamelCase.', type: 'string' },
      metadata: { type: 'object' },
      spec: options.spec.json,
      status: options.status.json,
    },
    ...(options.specRequired ? { required: ['spec'] } : {}),
  };
}
