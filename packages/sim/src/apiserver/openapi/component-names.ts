import type { ServedKind } from '../kinds/served-kind.ts';

/** Where Kubernetes' packages stand in the tree that its component names spell out. */
const packages: Readonly<Record<string, string>> = {
  'apiextensions.v1': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  'apiregistration.v1': 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
  intstr: 'io.k8s.apimachinery.pkg.util.intstr',
  'meta.v1': 'io.k8s.apimachinery.pkg.apis.meta.v1',
  'metrics.v1beta1': 'io.k8s.metrics.pkg.apis.metrics.v1beta1',
  resource: 'io.k8s.apimachinery.pkg.api.resource',
  runtime: 'io.k8s.apimachinery.pkg.runtime',
};

/** `core.v1.Pod` is `io.k8s.api.core.v1.Pod`. */
export function definitionComponent(definition: string): string {
  const end = definition.lastIndexOf('.');
  const home = definition.slice(0, end);
  return `${packages[home] ?? `io.k8s.api.${home}`}${definition.slice(end)}`;
}

/** A custom kind is named by its group backwards: `sh.karpenter.v1.NodePool`. */
export function kindComponent({ definition, group, version, kind }: ServedKind): string {
  if (definition !== undefined) return definitionComponent(definition);
  return [...group.split('.').reverse(), version, kind].join('.');
}

export const componentReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
