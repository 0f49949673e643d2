import type { DurationMs } from '@karpenter/core/values';
import type { ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import type { InstanceTypeProvider } from '../../instance-type-provider/index.ts';
import { awsControllerNames, awsReconcilePeriods } from '../../names/index.ts';
import type { PricingProvider } from '../../pricing/index.ts';
import type { AwsProvider } from '../../provider/index.ts';
import type { VersionProvider } from '../../version/index.ts';

/** Calls `refresh` periodically, mostly to update a provider from AWS. A failure is retried with backoff. */
export class RefreshController implements Singleton {
  readonly name: string;
  readonly #period: DurationMs;
  readonly #refresh: () => Promise<void>;

  constructor(options: {
    readonly name: string;
    readonly period: DurationMs;
    readonly refresh: () => Promise<void>;
  }) {
    this.name = options.name;
    this.#period = options.period;
    this.#refresh = options.refresh;
  }

  async reconcile(): Promise<ReconcileResult> {
    await this.#refresh();
    return { requeueAfter: this.#period };
  }
}

export function pricingRefresh(pricing: Pick<PricingProvider, 'refresh'>): RefreshController {
  return new RefreshController({
    name: awsControllerNames.pricing,
    period: awsReconcilePeriods.pricing,
    refresh: () => pricing.refresh(),
  });
}

export function instanceTypeRefresh(instanceTypes: Pick<InstanceTypeProvider, 'refresh'>): RefreshController {
  return new RefreshController({
    name: awsControllerNames.instanceType,
    period: awsReconcilePeriods.instanceTypes,
    refresh: () => instanceTypes.refresh(),
  });
}

/**
 * Fails one reconcile when it first sees an unsupported
 * version, so that it is logged; the version is used anyway.
 */
export function versionRefresh(version: Pick<VersionProvider, 'refresh'>): RefreshController {
  return new RefreshController({
    name: awsControllerNames.version,
    period: awsReconcilePeriods.version,
    refresh: async () => {
      const { unsupported } = await version.refresh();
      if (unsupported !== undefined) throw unsupported;
    },
  });
}

/** Updates the metrics on offerings and prices. */
export function offeringReport(provider: Pick<AwsProvider, 'reportOfferings'>): RefreshController {
  return new RefreshController({
    name: awsControllerNames.cloudProviderMetrics,
    period: awsReconcilePeriods.cloudProviderMetrics,
    refresh: () => provider.reportOfferings(),
  });
}
