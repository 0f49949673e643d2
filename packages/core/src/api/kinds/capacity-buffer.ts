import {
  conditionMap,
  defaulted,
  integer,
  map,
  object,
  quantity,
  type ResourceOf,
  required,
  resourceKind,
  string,
} from '../../schema/index.ts';
import { ageColumn } from './columns.ts';

const podTemplateRef = object('A PodTemplate of the same namespace.', {
  name: required(string('The name of the PodTemplate.', { minLength: 1 })),
});

const scalableRef = object('A workload of the same namespace that can be scaled, such as a Deployment.', {
  apiGroup: string('The API group of the workload; empty means `apps`.'),
  kind: required(string('The kind of the workload.', { minLength: 1 })),
  name: required(string('The name of the workload.', { minLength: 1 })),
});

const spec = object(
  'How much room to keep free, and for pods of which shape.',
  {
    provisioningStrategy: defaulted(
      string('How the room is kept: `buffer.x-k8s.io/active-capacity` keeps nodes running for it.'),
      'buffer.x-k8s.io/active-capacity',
    ),
    podTemplateRef,
    scalableRef,
    replicas: integer('Room for this many pods.', { format: 'int32', minimum: 0 }),
    percentage: integer(
      'Room for this share of the replicas of the workload, rounded up; at least 1 when neither is 0.',
      { format: 'int32', minimum: 0 },
    ),
    limits: map(
      'The most resources that the room may take; alone, it is filled up as far as whole pods fit.',
      quantity(),
    ),
  },
  {
    rules: [
      {
        rule: '!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)',
        message: 'If podTemplateRef is set, replicas or limits must also be set',
      },
      {
        rule: '!(has(self.podTemplateRef) && has(self.scalableRef))',
        message: 'You must define either PodTemplateRef or ScalableRef, but not both',
      },
    ],
  },
);

const status = object('What has become of the buffer.', {
  podTemplateRef,
  replicas: integer('For how many pods room is kept.', { format: 'int32' }),
  podTemplateGeneration: integer('The generation of the PodTemplate that was used.', { format: 'int64' }),
  provisioningStrategy: string('The strategy that was used.'),
  conditions: conditionMap,
});

export const capacityBufferKind = resourceKind({
  group: 'autoscaling.x-k8s.io',
  version: 'v1beta1',
  kind: 'CapacityBuffer',
  plural: 'capacitybuffers',
  shortNames: ['cb'],
  scope: 'Namespaced',
  categories: ['autoscaling'],
  description:
    'A CapacityBuffer keeps room free for pods that are expected, so that they start without waiting for a node.',
  columns: [
    { name: 'Strategy', type: 'string', jsonPath: '.spec.provisioningStrategy' },
    { name: 'PodTemplate', type: 'string', jsonPath: '.status.podTemplateRef.name' },
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'ConditionsType', type: 'string', jsonPath: '.status.conditions[*].type' },
    { name: 'ConditionsStatus', type: 'string', jsonPath: '.status.conditions[*].status' },
    { name: 'ConditionsReason', type: 'string', jsonPath: '.status.conditions[*].reason' },
    ageColumn,
  ],
  spec,
  specRequired: true,
  status,
});

export type CapacityBuffer = ResourceOf<typeof capacityBufferKind>;
export type CapacityBufferSpec = CapacityBuffer['spec'];
