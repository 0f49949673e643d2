import { parseDuration, parseNillableDuration } from '../../values/index.ts';
import type { NodeClaimTemplate, TaintSpec } from '../kinds/index.ts';
import type { Hash } from './fnv.ts';
import {
  hashDuration,
  hashInt64,
  hashList,
  hashStructure,
  hashStructureUnlessZero,
  hashText,
  hashTextMap,
  ifSet,
  unlessZero,
} from './structural-hash.ts';
import { hashTime } from './time-hash.ts';

/** Value of the annotation that names the version of the hash algorithm. */
export const nodePoolHashVersion = 'v3';

type TemplateSpec = NodeClaimTemplate['spec'];

/**
 * The hashed fields of `spec.template`. Requirements are not hashed; drift compares them with labels instead.
 */
export interface HashedNodePoolTemplate {
  readonly metadata?: NodeClaimTemplate['metadata'];
  readonly spec: Omit<TemplateSpec, 'requirements' | 'expireAfter'> &
    Partial<Pick<TemplateSpec, 'requirements' | 'expireAfter'>>;
}

/** The value of the annotation `karpenter.sh/nodepool-hash` for a NodePool's `spec.template`. */
export function nodePoolHash(template: HashedNodePoolTemplate): string {
  return hashStructure('NodeClaimTemplate', [
    ['ObjectMeta', hashMetadata(template.metadata)],
    ['Spec', hashTemplateSpec(template.spec)],
  ]).toString();
}

function hashMetadata(metadata: HashedNodePoolTemplate['metadata']): Hash | undefined {
  return hashStructureUnlessZero('ObjectMeta', [
    ['Labels', ifSet(metadata?.labels, hashTextMap)],
    ['Annotations', ifSet(metadata?.annotations, hashTextMap)],
  ]);
}

function hashTemplateSpec(spec: HashedNodePoolTemplate['spec']): Hash {
  return hashStructure('NodeClaimTemplateSpec', [
    ['Taints', ifSet(spec.taints, hashTaints)],
    ['StartupTaints', ifSet(spec.startupTaints, hashTaints)],
    ['NodeClassRef', hashNodeClassRef(spec.nodeClassRef)],
    ['TerminationGracePeriod', ifSet(spec.terminationGracePeriod, hashTerminationGracePeriod)],
    ['ExpireAfter', ifSet(spec.expireAfter, hashExpireAfter)],
  ]);
}

function hashTaints(taints: readonly TaintSpec[]): Hash {
  return hashList(taints, (taint) =>
    hashStructure('Taint', [
      ['Key', unlessZero(taint.key, hashText)],
      ['Value', unlessZero(taint.value, hashText)],
      ['Effect', unlessZero(taint.effect, hashText)],
      ['TimeAdded', ifSet(taint.timeAdded, hashTime)],
    ]),
  );
}

function hashNodeClassRef(ref: HashedNodePoolTemplate['spec']['nodeClassRef']): Hash {
  return hashStructure('NodeClassReference', [
    ['Kind', unlessZero(ref.kind, hashText)],
    ['Name', unlessZero(ref.name, hashText)],
    ['Group', unlessZero(ref.group, hashText)],
  ]);
}

function hashTerminationGracePeriod(text: string): Hash {
  return hashDuration(parseDuration(text, 'spec.template.spec.terminationGracePeriod'));
}

/** `Never` is a nil duration and not hashed; `0s` is a duration and is. */
function hashExpireAfter(text: string): Hash | undefined {
  const { ns } = parseNillableDuration(text, 'spec.template.spec.expireAfter');
  return hashStructureUnlessZero('NillableDuration', [['Duration', ifSet(ns, hashInt64)]]);
}
