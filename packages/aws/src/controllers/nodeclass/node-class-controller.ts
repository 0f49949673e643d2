import { formatTimestamp } from '@karpenter/core/api';
import type { WatchCache } from '@karpenter/kube/cache';
import type { KubeWriter } from '@karpenter/kube/client';
import type { Clock, Controller, ReconcileResult } from '@karpenter/kube/runtime';
import { throwFailures } from '../../aws-errors/index.ts';
import { ec2NodeClasses } from '../../kinds.ts';
import { awsControllerNames, ec2NodeClassFinalizer } from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import { withSpec } from '../class-objects.ts';
import { unlessConflict, unlessGone } from '../writes.ts';
import { initialised, type NodeClassConditions, statusChange, withOutcome } from './node-class-status.ts';
import type { StatusStep, StatusStepOutcome } from './status-step.ts';
import type { NodeClassTermination } from './termination.ts';

export interface NodeClassOptions {
  readonly client: Pick<KubeWriter, 'patch'>;
  readonly classes: WatchCache<EC2NodeClass>;
  /** Steps that run concurrently; none depends on another. */
  readonly steps: readonly StatusStep[];
  /** Runs after the steps, on the class with their results. */
  readonly validation: StatusStep;
  readonly termination: Pick<NodeClassTermination, 'finish'>;
  readonly conditions: NodeClassConditions;
  readonly clock: Pick<Clock, 'now'>;
}

/** Resolves and validates an EC2NodeClass, writes its status, and finalizes one that is being deleted. */
export class NodeClassController implements Controller {
  readonly name = awsControllerNames.nodeClass;
  readonly kind = ec2NodeClasses;
  readonly concurrency = 10;
  readonly #options: NodeClassOptions;

  constructor(options: NodeClassOptions) {
    this.#options = options;
  }

  async reconcile(name: string): Promise<ReconcileResult | undefined> {
    const nodeClass = this.#options.classes.get({ name });
    if (nodeClass === undefined) return undefined;
    const isDeleting = nodeClass.metadata.deletionTimestamp !== undefined;
    return unlessConflict(() =>
      isDeleting ? this.#options.termination.finish(nodeClass) : this.#resolve(nodeClass),
    );
  }

  /**
   * Runs all steps, then validation, and writes the status once: one pass and one write per class (ADR 0028).
   */
  async #resolve(cached: EC2NodeClass): Promise<ReconcileResult | undefined> {
    const { steps, validation, conditions, clock } = this.#options;
    const before = withSpec(await this.#withFinalizer(cached));
    const now = formatTimestamp(clock.now());
    const outcomes = await Promise.all(steps.map((step) => outcomeOf(step, before)));
    const resolved = outcomes.reduce(
      (draft, outcome) => withOutcome(draft, outcome, { conditions, now }),
      initialised(before, conditions),
    );
    const verdict = await outcomeOf(validation, resolved);
    await this.#write(before, withOutcome(resolved, verdict, { conditions, now }));
    return soonest([...outcomes, verdict]);
  }

  /** Added before any step runs, because steps create AWS resources that the finalizer must clean up. */
  async #withFinalizer(nodeClass: EC2NodeClass): Promise<EC2NodeClass> {
    const { name, resourceVersion, finalizers = [] } = nodeClass.metadata;
    if (finalizers.includes(ec2NodeClassFinalizer)) return nodeClass;
    const metadata = { resourceVersion, finalizers: [...finalizers, ec2NodeClassFinalizer] };
    return this.#options.client.patch(ec2NodeClasses, { name }, { type: 'merge', body: { metadata } });
  }

  /** Patches only changed fields, with the resourceVersion read, so that a concurrent change conflicts. */
  async #write(before: EC2NodeClass, after: EC2NodeClass): Promise<void> {
    const status = statusChange(before, after);
    if (status === undefined) return;
    const { name, resourceVersion } = before.metadata;
    const body = { metadata: { resourceVersion }, status };
    const { client } = this.#options;
    await unlessGone(
      client.patch(ec2NodeClasses, { name }, { type: 'merge', body }, { subresource: 'status' }),
    );
  }
}

/** Turns a throw into an outcome, so that one failing step does not discard the others. */
async function outcomeOf(step: StatusStep, nodeClass: EC2NodeClass): Promise<StatusStepOutcome> {
  try {
    return await step(nodeClass);
  } catch (error) {
    return { error };
  }
}

/**
 * Returns the earliest requeue of the outcomes. Throws their errors, so that the runner retries with backoff.
 */
function soonest(outcomes: readonly StatusStepOutcome[]): ReconcileResult | undefined {
  throwFailures(outcomes.flatMap(({ error }) => (error === undefined ? [] : [error])));
  const [first] = outcomes.flatMap(({ requeueAfter }) => requeueAfter ?? []).toSorted((a, b) => a - b);
  return first === undefined ? undefined : { requeueAfter: first };
}
