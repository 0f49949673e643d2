import type { Resource, ResourceKind } from '@karpenter/core/schema';
import type { Kind } from './kind.ts';

/** Derives the API coordinates of a custom resource from its definition. */
export function kindOf<Spec, Status>(resource: ResourceKind<Spec, Status>): Kind<Resource<Spec, Status>> {
  const { group, names, scope } = resource.definition.spec;
  return {
    group,
    version: resource.apiVersion.slice(group.length + 1),
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
  };
}
