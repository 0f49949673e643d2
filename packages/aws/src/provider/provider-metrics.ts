import type { Counters, Gauges } from '@karpenter/core/ports';
import type { Ec2BatchOptions } from '../batching/index.ts';
import type { LauncherOptions } from '../fleet/index.ts';
import type { InstanceProviderOptions } from '../instances/index.ts';
import type { TemplateProviderOptions } from '../launch-templates/index.ts';
import { awsMetrics, awsSdkMetrics } from '../names/index.ts';
import type { CallObserver, ObservedCall } from '../sdk/index.ts';

/** Callbacks of the providers that update metrics. */
export interface ProviderMetrics
  extends Required<Pick<Ec2BatchOptions, 'onBatch'>>,
    Required<Pick<LauncherOptions, 'onFailure'>>,
    Required<Pick<InstanceProviderOptions, 'onTerminationFailure'>>,
    Required<Pick<TemplateProviderOptions, 'onUserData'>> {}

export function providerMetrics(meters: Counters & Gauges): ProviderMetrics {
  return {
    onBatch: ({ name, size, seconds }) => {
      meters.observe(awsMetrics.batchTime, { batcher: name }, seconds);
      meters.observe(awsMetrics.batchSize, { batcher: name }, size);
    },
    onFailure: (failure) => meters.increment(awsMetrics.launchFailures, failure),
    onTerminationFailure: (labels) => meters.increment(awsMetrics.terminationFailures, labels),
    onUserData: (nodeclass, bytes) => meters.set(awsMetrics.userDataBytes, { nodeclass }, bytes),
  };
}

/** Observer for `awsServices`: counts calls, their durations and their results. */
export function callMetrics(counters: Counters): CallObserver {
  const labelsOf = ({ service, operation, code }: ObservedCall) => ({ service, action: operation, code });
  return {
    onCall: (call, retries) => {
      const labels = labelsOf(call);
      counters.increment(awsSdkMetrics.requests, labels);
      counters.observe(awsSdkMetrics.requestDuration, labels, call.seconds);
      counters.observe(awsSdkMetrics.retryCount, labels, retries);
    },
    onAttempt: (attempt) => {
      const labels = labelsOf(attempt);
      counters.increment(awsSdkMetrics.attempts, labels);
      counters.observe(awsSdkMetrics.attemptDuration, labels, attempt.seconds);
    },
  };
}
