import type { ObjectMeta } from '@karpenter/core/schema';

/** API coordinates of a kind. The type parameter is the type of its objects. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set at run time; it only carries the type parameter. */
  readonly objects?: T;
}

/** The fields of every object. All optional, because the generated types of built-in kinds have them so. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Metadata;
}

/** Object metadata. Partial, because the server fills in most of it when the object is created. */
export interface Metadata extends Partial<ObjectMeta> {
  readonly deletionGracePeriodSeconds?: number;
}

/** Identifies an object of a known kind. `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}
