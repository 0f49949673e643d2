import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import { coreLabelAliases, Requirements, Vocabulary } from '@karpenter/core/requirements';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import { type KubeObject, kinds } from '@karpenter/kube/client';
import type { Controller } from '@karpenter/kube/runtime';
import { type DiscoveredMemory, imagesHashOf } from '../../instance-types/index.ts';
import { imageFinder } from '../../launchable/index.ts';
import { awsControllerNames, awsLabelPolicy } from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import { isOurs } from '../class-objects.ts';
import { ByProviderId } from '../provider-index.ts';

/** The fields of a Node that this controller reads. */
export interface SizedNode extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly capacity?: Readonly<Record<string, string>> };
}

export interface MemoryOptions {
  readonly nodes: WatchCache<SizedNode>;
  readonly claims: WatchCache<NodeClaim>;
  readonly classes: WatchCache<EC2NodeClass>;
  readonly memory: Pick<DiscoveredMemory, 'report'>;
}

/**
 * Records the actual memory of registered nodes per instance type, as Karpenter's capacity discovery does.
 */
export class MemoryController implements Controller {
  readonly name = awsControllerNames.instanceTypeCapacity;
  readonly kind = kinds.node;
  readonly #options: MemoryOptions;
  readonly #claims: ByProviderId<NodeClaim>;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#claims = new ByProviderId(options.claims, ({ status }) => status?.providerID);
  }

  async reconcile(name: string): Promise<undefined> {
    const node = this.#options.nodes.get({ name });
    const [claim] = this.#claims.of(node?.spec?.providerID ?? '').filter(isOurs);
    if (node === undefined || claim === undefined) return;
    const nodeClass = this.#options.classes.get({ name: claim.spec.nodeClassRef.name });
    const instanceType = node.metadata?.labels?.[labelKeys.instanceType];
    const memory = node.status?.capacity?.['memory'];
    if (nodeClass === undefined || instanceType === undefined || memory === undefined) return;
    // A different AMI may have a different kernel, which may report a different size.
    if (!isCurrentImage(claim.status?.imageID ?? '', node, nodeClass)) return;
    this.#options.memory.report({ instanceType, imagesHash: imagesHashOf(nodeClass), memory });
  }
}

/** Whether the class still launches nodes with these labels from the AMI. */
function isCurrentImage(imageId: string, { metadata }: SizedNode, { status }: EC2NodeClass): boolean {
  const vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  const wellKnown = vocabulary.keySet(awsLabelPolicy.wellKnown);
  const images = (status?.amis ?? []).filter(({ id }) => id === imageId);
  const requirements = Requirements.fromLabels(vocabulary, metadata?.labels ?? {});
  return imageFinder(images, { vocabulary, wellKnown })({ requirements }) !== undefined;
}

/** Adds nodes when they become registered, or are registered when first seen. */
export function registeredNodes({ type, object, previous }: CacheChange<SizedNode>): readonly string[] {
  const isNew = type !== 'deleted' && isRegistered(object) && !isRegistered(previous);
  return isNew ? [object.metadata?.name ?? ''] : [];
}

function isRegistered(node: SizedNode | undefined): boolean {
  return node?.metadata?.labels?.[labelKeys.registered] === 'true';
}
