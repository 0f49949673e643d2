import type { DurationMs } from '@karpenter/core/values';
import type { ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import type { InstanceTypeProvider } from '../../instance-type-provider/index.ts';
import { awsControllerNames, awsReconcilePeriods } from '../../names/index.ts';
import type { PricingProvider } from '../../pricing/index.ts';
import type { AwsProvider } from '../../provider/index.ts';
import type { VersionProvider } from '../../version/index.ts';

/** Does one thing over and over: most have a provider ask AWS anew. */
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

/** A version that is not supported fails the run once; it is used all the same. */
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

/** The gauges on offerings and prices. */
export function offeringReport(provider: Pick<AwsProvider, 'reportOfferings'>): RefreshController {
  return new RefreshController({
    name: awsControllerNames.cloudProviderMetrics,
    period: awsReconcilePeriods.cloudProviderMetrics,
    refresh: () => provider.reportOfferings(),
  });
}
