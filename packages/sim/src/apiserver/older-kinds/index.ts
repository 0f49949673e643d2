/** Answers manifests of Karpenter before v1 with a hint at `karpenter convert`, also for kubectl. */

export { isManifestCommand, olderKindOf, olderKindRefused, withOlderKinds } from './older-kinds.ts';
