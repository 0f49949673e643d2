import { awsLabelPolicy, awsMetrics, awsSdkMetrics, ec2NodeClassStatusMetrics } from '@karpenter/aws';
import {
  disruptionMetrics,
  labelKeys,
  type MetricDefinition,
  nodeClaimMetrics,
  nodeMetrics,
  nodePoolMetrics,
  nodeStateMetrics,
  operatorMetrics,
  podMetrics,
  processMetrics,
  runtimeMetrics,
  schedulerMetrics,
  sharedStatusConditionMetrics,
  statusConditionMetrics,
} from '@karpenter/core/api';
import { afterEach, describe, expect, it } from 'vitest';
import { eventfulDay } from '../walkthroughs/eventful-day.ts';
import { labelList, RecordedMetrics } from '../walkthroughs/recorded-metrics.ts';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';

const ofClaims = ['karpenter.k8s.aws/ec2nodeclass', labelKeys.nodePool];

const catalogue: readonly MetricDefinition[] = [
  awsMetrics,
  awsSdkMetrics,
  disruptionMetrics,
  nodeClaimMetrics,
  nodeMetrics,
  nodePoolMetrics,
  nodeStateMetrics(awsLabelPolicy.wellKnown),
  operatorMetrics,
  podMetrics,
  processMetrics,
  runtimeMetrics,
  schedulerMetrics,
  sharedStatusConditionMetrics,
  ec2NodeClassStatusMetrics,
  statusConditionMetrics('NodeClaim', ofClaims),
  statusConditionMetrics('NodePool'),
  statusConditionMetrics('Node', [...ofClaims, labelKeys.initialized]),
  statusConditionMetrics('CapacityBuffer'),
].flatMap((group) => Object.values<MetricDefinition>({ ...group }));

const noSdk = 'the simulated account is called without the AWS SDK, whose calls are counted';

/** Metrics that such a day does not report, and why. */
const absent: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(awsSdkMetrics).map(({ name }) => [name, noSdk])),
  [disruptionMetrics.failedValidations.name]: 'needs a pod to come while a decision is thought over',
  [disruptionMetrics.queueFailures.name]: 'needs a replacement that does not come up for an hour',
  [nodePoolMetrics.costTrackerErrors.name]: 'needs an instance type without a price, and all have one',
};

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

describe('metrics', () => {
  it('of the catalogue are all reported with exactly their labels in a run that covers every feature', async () => {
    const registry = new RecordedMetrics();
    world = await embeddedWorld({
      registry,
      flags: { 'feature-gates': 'NodeRepair=true,CapacityBuffer=true' },
    });
    await eventfulDay(world);
    [...registry.exposition()].join('');
    const expected = catalogue.filter(({ name }) => !(name in absent));
    const reported = expected.map(({ name }) => [name, registry.labelsOf(name)]);
    expect(reported).toEqual(expected.map(({ name, labels }) => [name, [labelList(labels)]]));
  }, 120_000);
});
