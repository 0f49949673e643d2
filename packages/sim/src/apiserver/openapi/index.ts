import type { JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
export function openApiIndex(_k: readonly ServedKind[]): JsonObject {
  return { paths: {} };
}
export function openApiDocument(_k: readonly ServedKind[]): JsonObject {
  return {};
}
