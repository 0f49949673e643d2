import {
  annotationKeys,
  capacityTypes,
  driftReasons,
  driftTuning,
  labelKeys,
  type NodeClaim,
  type NodePool,
  parseTimestamp,
} from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import {
  coreLabelAliases,
  LabelKeySet,
  Requirement,
  Requirements,
  Vocabulary,
} from '../requirements/index.ts';
import { neverDuration, nsToDurationMs, parseNillableDuration } from '../values/index.ts';
import { durationOption, poolOptions } from './pool-options.ts';

export interface DriftOptions {
  /** Labels that instance types define. */
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly labelAliases: ReadonlyMap<string, string>;
  /** Labels that only nodes of a capacity reservation have. */
  readonly reservationLabels: ReadonlySet<string>;
}

/** Why a NodeClaim differs from what its NodePool would create now; undefined if it does not. */
export function nodePoolDriftReason(
  nodeClaim: NodeClaim,
  nodePool: NodePool,
  options: DriftOptions,
): string | undefined {
  // In Karpenter's order: the first match becomes the reason of the condition.
  if (isTemplateChanged(nodeClaim, nodePool)) return driftReasons.nodePoolDrifted;
  return meetsRequirements(nodeClaim, nodePool, options) ? undefined : driftReasons.requirementsDrifted;
}

/** Hashes of different versions are not comparable and never mean drift. */
function isTemplateChanged(nodeClaim: NodeClaim, nodePool: NodePool): boolean {
  const [claim, pool] = [nodeClaim, nodePool].map(({ metadata }) => ({
    hash: metadata.annotations?.[annotationKeys.nodePoolHash],
    version: metadata.annotations?.[annotationKeys.nodePoolHashVersion],
  }));
  if (claim?.hash === undefined || pool?.hash === undefined) return false;
  if (claim.version === undefined || claim.version !== pool.version) return false;
  return claim.hash !== pool.hash;
}

/**
 * Requirements are not part of the hash, so they are compared with the labels of the claim. The comparison is strict,
 * as in Karpenter: a required key that the claim lacks means drift, even if it is well-known.
 */
function meetsRequirements(
  { metadata }: NodeClaim,
  { spec }: NodePool,
  { labelAliases }: DriftOptions,
): boolean {
  const vocabulary = vocabularyOf(labelAliases);
  const wanted = Requirements.fromItems(vocabulary, spec.template.spec.requirements);
  return Requirements.fromLabels(vocabulary, metadata.labels ?? {}).compatible(wanted, LabelKeySet.empty);
}

/** Reason of the `Drifted` condition for nodes that are about to expire. */
const expiringReason = 'Expiring';

/**
 * With the NodePool's graceful-expiry option, a node that is about to expire counts as drifted, so that it is
 * replaced within budgets. Expiration itself ignores them.
 */
export function gracefulExpiryReason(
  { metadata, spec }: NodeClaim,
  nodePool: NodePool,
  at: number,
): string | undefined {
  const ahead = durationOption(nodePool, poolOptions.gracefulExpiry);
  const created = parseTimestamp(metadata.creationTimestamp ?? '');
  const { ns } = parseNillableDuration(spec.expireAfter ?? neverDuration.text, 'expireAfter');
  if (ahead === undefined || created === undefined || ns === undefined) return undefined;
  const expiry = created.epochSeconds * 1000 + nsToDurationMs(ns);
  return at >= expiry - ahead ? expiringReason : undefined;
}

/** Young claims are not checked: the provider's list of instance types may lag behind. */
export function isOldEnoughForTypeCheck({ metadata }: NodeClaim, at: number): boolean {
  const created = parseTimestamp(metadata.creationTimestamp ?? '');
  return created !== undefined && at - created.epochSeconds * 1000 > driftTuning.instanceTypeCheckMinAge;
}

/** Whether the provider no longer lists the instance type of the claim, or no offering where it runs. */
export function isInstanceTypeGone(
  { metadata }: NodeClaim,
  types: readonly InstanceType[],
  options: DriftOptions,
): boolean {
  const labels = metadata.labels ?? {};
  const type = types.find(({ name }) => name === labels[labelKeys.instanceType]);
  if (type === undefined) return true;
  const vocabulary = vocabularyOf(options.labelAliases);
  const wellKnown = vocabulary.keySet(options.wellKnownLabels);
  const wanted = offeringRequirements(vocabulary, labels, options);
  return !type.offerings.some(({ requirements }) =>
    wanted.compatible(Requirements.fromItems(vocabulary, requirements), wellKnown),
  );
}

/**
 * When a reservation ends, its instances keep running as on-demand ones, so they match either capacity type.
 */
function offeringRequirements(
  vocabulary: Vocabulary,
  labels: Readonly<Record<string, string>>,
  { reservationLabels }: DriftOptions,
): Requirements {
  if (labels[labelKeys.capacityType] !== capacityTypes.reserved)
    return Requirements.fromLabels(vocabulary, labels);
  const kept = Object.entries(labels).filter(([key]) => !reservationLabels.has(key));
  const { reserved, onDemand } = capacityTypes;
  return Requirements.fromLabels(vocabulary, Object.fromEntries(kept)).with(
    Requirement.in(vocabulary.key(labelKeys.capacityType), [reserved, onDemand]),
  );
}

function vocabularyOf(labelAliases: ReadonlyMap<string, string>): Vocabulary {
  return new Vocabulary({ ...coreLabelAliases, keys: new Map([...coreLabelAliases.keys, ...labelAliases]) });
}
