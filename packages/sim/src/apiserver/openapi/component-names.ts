import type { ServedKind } from '../kinds/served-kind.ts';

/** Go packages whose path, and so component name, does not follow the pattern `io.k8s.api.<package>`. */
const packages: Readonly<Record<string, string>> = {
  'apiextensions.v1': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  'apiregistration.v1': 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  intstr: 'io.k8s.apimachinery.pkg.util.intstr',
  'meta.v1': 'io.k8s.apimachinery.pkg.apis.meta.v1',
  'metrics.v1beta1': 'io.k8s.metrics.pkg.apis.metrics.v1beta1',
  resource: 'io.k8s.apimachinery.pkg.api.resource',
  runtime: 'io.k8s.apimachinery.pkg.runtime',
};

/** The component name of a definition: `core.v1.Pod` is `io.k8s.api.core.v1.Pod`. */
export function definitionComponent(definition: string): string {
  const end = definition.lastIndexOf('.');
  const home = definition.slice(0, end);
  return `${packages[home] ?? `io.k8s.api.${home}`}${definition.slice(end)}`;
}

/** The component name of a kind. Custom kinds use the reversed group: `sh.karpenter.v1.NodePool`. */
export function kindComponent({ definition, group, version, kind }: ServedKind): string {
  if (definition !== undefined) return definitionComponent(definition);
  return [...group.split('.').reverse(), version, kind].join('.');
}

export const componentReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
