import { nodePool } from './manifests.mjs';

const group = 'karpenter.kwok.sh';

export const nodeClasses = {
  group,
  version: 'v1alpha1',
  kind: 'KWOKNodeClass',
  plural: 'kwoknodeclasses',
  namespaced: false,
};

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2024-01-01T00:00:00Z',
};

/** Nothing sets the status of a KWOKNodeClass, so that it is ready by default. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `kwoknodeclasses.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: {
      kind: 'KWOKNodeClass',
      listKind: 'KWOKNodeClassList',
      plural: 'kwoknodeclasses',
      singular: 'kwoknodeclass',
    },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: open, status: { ...open, default: { conditions: [ready] } } },
          },
        },
      },
    ],
  },
};

/** Nodes register after as long as instances of our simulated account take to join. */
export const kwokNodeClass = {
  apiVersion: `${group}/v1alpha1`,
  kind: 'KWOKNodeClass',
  metadata: { name: 'default' },
  spec: { nodeRegistrationDelay: '10s' },
};

/** The NodePool of the bench, without the labels of EC2 that Karpenter's provider for KWOK does not know. */
export function kwokNodePool(budget) {
  const { spec, ...rest } = nodePool(budget);
  const { requirements } = spec.template.spec;
  return {
    ...rest,
    spec: {
      ...spec,
      template: {
        spec: {
          nodeClassRef: { group, kind: 'KWOKNodeClass', name: 'default' },
          requirements: requirements.filter(({ key }) => !key.startsWith('karpenter.k8s.aws/')),
        },
      },
    },
  };
}
