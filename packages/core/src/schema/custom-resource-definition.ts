import type { JsonSchema } from './json-schema.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  /** What clients print that use a deprecated version. */
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  };
}

/** The fields of an `apiextensions.k8s.io/v1` CustomResourceDefinition that this product writes and reads. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: 'Cluster' | 'Namespaced';
    readonly versions: readonly CustomResourceVersion[];
    readonly conversion?: {
      readonly strategy: 'Webhook';
      readonly webhook: {
        readonly clientConfig: {
          readonly service: {
            readonly namespace: string;
            readonly name: string;
            readonly port: number;
            readonly path: string;
          };
        };
        readonly conversionReviewVersions: readonly string[];
      };
    };
  };
}
