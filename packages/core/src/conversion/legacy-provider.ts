import type { JsonObject } from '../schema/index.ts';

/** What core must know about the cloud provider to convert NodePools: kinds, defaults and keys of v1alpha5. */
export interface LegacyProvider {
  /** The API group of the NodeClass. */
  readonly group: string;
  /** The kind of the NodeClass since v1beta1. */
  readonly nodeClassKind: string;
  /** The kind that a `providerRef` of v1alpha5 named. */
  readonly templateKind: string;
  /** Requirements that the admission webhook of v1alpha5 added. */
  readonly defaults: readonly DefaultRequirement[];
  /** Keys of labels and annotations with other names now. */
  readonly renamedKeys: ReadonlyMap<string, string>;
  /** Node labels that do not exist any more. */
  readonly droppedLabels: ReadonlySet<string>;
}

interface DefaultRequirement {
  /** The default applies when no requirement has one of these keys. */
  readonly unless: readonly string[];
  readonly requirements: readonly JsonObject[];
}
