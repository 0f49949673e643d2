import type { ObjectMeta } from '@karpenter/core/schema';

/** Where a kind of object lives in the API, and by its type parameter how its objects look. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set: it ties the kind to the type of its objects. */
  readonly objects?: T;
}

/** What every object has; the generated types of built-in kinds leave even this optional. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Metadata;
}

/** The part of `metadata` that the client itself looks at; before an object is written much of it is open. */
export interface Metadata extends Partial<ObjectMeta> {
  readonly deletionGracePeriodSeconds?: number;
}

/** Which object: `namespace` is left out for kinds that have none. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}
