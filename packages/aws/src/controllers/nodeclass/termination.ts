import type { NodeClaim } from '@karpenter/core/api';
import type { Meters } from '@karpenter/core/ports';
import type { KubeWriter } from '@karpenter/kube/client';
import type { EventRecorder, ReconcileResult } from '@karpenter/kube/runtime';
import type { InstanceProfileProvider } from '../../instance-profiles/index.ts';
import { ec2NodeClasses } from '../../kinds.ts';
import type { LaunchTemplateProvider } from '../../launch-templates/index.ts';
import { awsEvents, awsMetrics, ec2NodeClassFinalizer, nodeClassPeriods } from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import type { ClaimsByClass } from '../class-objects.ts';
import { unlessGone } from '../writes.ts';
import type { NodeClassValidation } from './validation.ts';

export interface TerminationOptions {
  readonly client: Pick<KubeWriter, 'patch'>;
  readonly claims: ClaimsByClass;
  /** Absent in isolated VPCs, which cannot reach IAM and therefore have no profiles of classes. */
  readonly profiles?: Pick<InstanceProfileProvider, 'deleteAll'> | undefined;
  readonly templates: Pick<LaunchTemplateProvider, 'deleteAll'>;
  readonly validation: Pick<NodeClassValidation, 'forget'>;
  readonly recorder: EventRecorder;
  readonly meters: Pick<Meters, 'remove'>;
}

/**
 * Finalizes an EC2NodeClass when no NodeClaim uses it: deletes its AWS resources and removes the finalizer.
 */
export class NodeClassTermination {
  readonly #options: TerminationOptions;

  constructor(options: TerminationOptions) {
    this.#options = options;
  }

  /** Rejects on any failure and keeps the finalizer, so that no AWS resource leaks. */
  async finish(nodeClass: EC2NodeClass): Promise<ReconcileResult | undefined> {
    const { name, resourceVersion, finalizers = [] } = nodeClass.metadata;
    if (!finalizers.includes(ec2NodeClassFinalizer)) return undefined;
    const { client, claims, profiles, templates, validation, meters } = this.#options;
    const waitingFor = claims.of(name);
    if (waitingFor.length > 0) return this.#wait(nodeClass, waitingFor);
    await profiles?.deleteAll(nodeClass);
    await templates.deleteAll(name);
    const left = finalizers.filter((finalizer) => finalizer !== ec2NodeClassFinalizer);
    const body = { metadata: { resourceVersion, finalizers: left } };
    await unlessGone(client.patch(ec2NodeClasses, { name }, { type: 'merge', body }));
    validation.forget(name);
    meters.remove(awsMetrics.userDataBytes, { nodeclass: name });
    return undefined;
  }

  #wait(nodeClass: EC2NodeClass, claims: readonly NodeClaim[]): ReconcileResult {
    const names = claims.map(({ metadata }) => metadata.name).sort();
    this.#options.recorder.publish({
      definition: awsEvents.waitingOnNodeClaimTermination,
      kind: ec2NodeClasses,
      object: nodeClass,
      message: `Waiting on NodeClaim termination for ${someOf(names)}`,
    });
    return { requeueAfter: nodeClassPeriods.waitingForClaims };
  }
}

const maxNamed = 5;

/** Lists the first names and the number of the others, to keep the event short. */
function someOf(names: readonly string[]): string {
  const named = names.slice(0, maxNamed).join(', ');
  return names.length > maxNamed ? `${named} and ${names.length - maxNamed} other(s)` : named;
}
