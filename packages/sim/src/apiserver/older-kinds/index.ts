/**
 * Rejects manifests of Karpenter before v1 with a hint at `karpenter convert`, also for kubectl. Pure
 * functions of a request; nothing is stored. Start with `older-kinds.ts`.
 */

export { isManifestCommand, olderKindOf, olderKindRefused, withOlderKinds } from './older-kinds.ts';
