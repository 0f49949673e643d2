import { type Json, type JsonObject, member } from '../schema/index.ts';
import type { ObjectDraft } from './object-draft.ts';

/** The fields of a Provisioner that make up `spec.disruption` of a NodePool. */
export const disruptionFields: ReadonlySet<string> = new Set([
  'consolidation',
  'ttlSecondsAfterEmpty',
  'ttlSecondsUntilExpired',
]);

const disruption = ['spec', 'disruption'];

/** Writes `spec.disruption` once, where the first of its fields was. */
export function putDisruption(draft: ObjectDraft, spec: JsonObject): void {
  if (draft.get(...disruption) !== undefined) return;
  const { ttlSecondsAfterEmpty, ttlSecondsUntilExpired, consolidation } = spec;
  draft.take(['spec', 'consolidation'], disruption, {});
  if (isTrue(member(consolidation, 'enabled'))) {
    draft.take(
      ['spec', 'consolidation', 'enabled'],
      [...disruption, 'consolidationPolicy'],
      'WhenUnderutilized',
    );
  } else putEmptiness(draft, ttlSecondsAfterEmpty);
  const expireAfter = seconds(ttlSecondsUntilExpired) ?? 'Never';
  draft.take(['spec', 'ttlSecondsUntilExpired'], [...disruption, 'expireAfter'], expireAfter);
}

/** Without a TTL, v1alpha5 kept empty nodes; the defaults of a NodePool would start to consolidate. */
function putEmptiness(draft: ObjectDraft, ttl: Json | undefined): void {
  const consolidateAfter = seconds(ttl);
  draft.set([...disruption, 'consolidationPolicy'], 'WhenEmpty');
  draft.take(
    ['spec', 'ttlSecondsAfterEmpty'],
    [...disruption, 'consolidateAfter'],
    consolidateAfter ?? 'Never',
  );
  if (consolidateAfter !== undefined) return;
  draft.warn({
    code: 'consolidation-kept-off',
    field: ['spec'],
    sentence:
      'neither consolidation nor ttlSecondsAfterEmpty is set, so consolidation stays off (consolidateAfter: Never); the default of a NodePool would turn it on',
    needsReview: false,
  });
}

/** kubectl reads YAML 1.1, in which these words are booleans. */
function isTrue(value: Json | undefined): boolean {
  return value === true || (typeof value === 'string' && /^(yes|y|on)$/i.test(value));
}

function seconds(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : `${value}s`;
}
