import type {
  CustomResourceDefinition,
  CustomResourceVersion,
  Json,
  JsonObject,
} from '@karpenter/core/schema';
import { isJsonArray, isJsonObject, member } from '@karpenter/core/schema';

/** Keeps a deleted definition until its last object is gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const definitionCollection = 'customresourcedefinitions.apiextensions.k8s.io';

/** The fields of a definition that the server supports beyond those that Karpenter's own definitions use. */
export interface ServedDefinition extends CustomResourceDefinition {
  readonly spec: CustomResourceDefinition['spec'] & {
    readonly preserveUnknownFields?: boolean;
    readonly versions: readonly ServedVersion[];
    readonly conversion?: {
      readonly strategy: 'None' | 'Webhook';
      readonly webhook?: {
        readonly clientConfig?: JsonObject;
        readonly conversionReviewVersions?: readonly string[];
      };
    };
  };
}

export type ServedVersion = CustomResourceVersion & {
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly subresources?: {
    readonly scale?: { readonly labelSelectorPath?: string };
  };
};

/** A cheap check suffices: the store holds only definitions that were decoded and validated. */
export function isServedDefinition(object: JsonObject): object is JsonObject & ServedDefinition {
  const versions = member(object['spec'], 'versions');
  return versions !== undefined && isJsonArray(versions) && versions.every(isJsonObject);
}

export function storageVersionOf({ spec }: ServedDefinition): ServedVersion | undefined {
  return spec.versions.find(({ storage }) => storage);
}

export function conditionsOf(object: JsonObject): readonly Json[] {
  const conditions = member(object['status'], 'conditions');
  return conditions !== undefined && isJsonArray(conditions) ? conditions : [];
}
