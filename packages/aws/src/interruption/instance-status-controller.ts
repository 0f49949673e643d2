import type { DescribeInstanceStatusCommandInput, InstanceStatus } from '@aws-sdk/client-ec2';
import type { Counters, Log } from '@karpenter/core/ports';
import type { Clock, ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { hasCode } from '../aws-errors/index.ts';
import { allPages, pageAfter } from '../caching/index.ts';
import { awsControllerNames, awsMetrics, awsReconcilePeriods, interruptionTuning } from '../names/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { findingsIn, kindByCategory, type StatusFinding, statusQueries } from './instance-status.ts';
import type { InterruptedCluster } from './interrupted.ts';
import type { InterruptionHandler } from './interruption-handler.ts';
import { inParallel } from './parallel-work.ts';

export interface InstanceStatusOptions {
  readonly ec2: Pick<Ec2, 'describeInstanceStatus'>;
  readonly cluster: Pick<InterruptedCluster, 'find'>;
  readonly handler: Pick<InterruptionHandler, 'handle'>;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly log: Log;
}

/**
 * Polls EC2 every minute for unhealthy instances and handles those of the cluster as interruptions. The queries cover
 * the whole account and region, as in Karpenter; NodeClaims decide which instances belong to the cluster.
 */
export class InstanceStatusController implements Singleton {
  readonly name = awsControllerNames.instanceStatus;
  readonly #options: InstanceStatusOptions;
  /** Findings already counted and still reported, so that metrics count each once. */
  #counted: ReadonlySet<string> = new Set();
  #isForbidden = false;

  constructor(options: InstanceStatusOptions) {
    this.#options = options;
  }

  async reconcile(signal: AbortSignal): Promise<ReconcileResult | undefined> {
    if (this.#isForbidden) return undefined;
    const statuses = await this.#fetch(signal);
    if (statuses === undefined) return undefined;
    const { cluster, clock, handler } = this.#options;
    const found = findingsIn(statuses, clock.now());
    const ours = found.filter(({ instanceId }) => cluster.find(instanceId) !== undefined);
    this.#count(ours);
    await inParallel(ours, interruptionTuning.parallel, ({ instanceId, category }) =>
      handler.handle(kindByCategory[category], [instanceId]),
    );
    return { requeueAfter: awsReconcilePeriods.instanceStatus };
  }

  /**
   * Returns undefined, and disables the controller, if the
   * permission is missing. Only a restart enables it again.
   */
  async #fetch(signal: AbortSignal): Promise<readonly InstanceStatus[] | undefined> {
    try {
      const responses = await Promise.all(statusQueries.map((query) => this.#pages(query, signal)));
      return responses.flat();
    } catch (error) {
      if (!hasCode(error, 'UnauthorizedOperation')) throw error;
      this.#isForbidden = true;
      this.#options.log.error(
        'ec2:DescribeInstanceStatus permission is not allowed, update the IAM policy and restart the Karpenter deployment to enable instance status health checks',
      );
      return undefined;
    }
  }

  #pages(query: DescribeInstanceStatusCommandInput, signal: AbortSignal): Promise<readonly InstanceStatus[]> {
    const { ec2 } = this.#options;
    return allPages(
      (token) => ec2.describeInstanceStatus({ ...query, ...pageAfter(token) }, { signal }),
      ({ InstanceStatuses }) => InstanceStatuses,
    );
  }

  #count(ours: readonly StatusFinding[]): void {
    const { counters, log } = this.#options;
    for (const finding of ours) {
      if (this.#counted.has(keyOf(finding))) continue;
      const { instanceId, category } = finding;
      counters.increment(awsMetrics.unhealthyInstances, { category });
      log.info('detected unhealthy instance owned by cluster', { 'instance-id': instanceId, category });
    }
    this.#counted = new Set(ours.map(keyOf));
  }
}

function keyOf({ instanceId, category }: StatusFinding): string {
  return `${instanceId} ${category}`;
}
