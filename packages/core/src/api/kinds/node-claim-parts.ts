import {
  array,
  dateTime,
  defaulted,
  enumeration,
  type Infer,
  object,
  required,
  string,
  type ValidationRule,
} from '../../schema/index.ts';
import { durationPattern, nillableDurationPattern, qualifiedNamePattern } from './patterns.ts';

// Fields that the template of a NodePool and the spec of a NodeClaim have in common.

const taint = object('Keeps pods away from a node unless they tolerate it.', {
  key: required(string('The name of the taint.', { minLength: 1, pattern: qualifiedNamePattern })),
  value: string('The value that a toleration may have to match.', { pattern: qualifiedNamePattern }),
  effect: required(
    enumeration(
      'What happens to pods that do not tolerate the taint: they are not placed here (`NoSchedule`), placed elsewhere if possible (`PreferNoSchedule`), or also removed when already running (`NoExecute`).',
      ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
    ),
  ),
  timeAdded: dateTime('When the taint was put on the node.'),
});

export type TaintSpec = Infer<typeof taint>;

export const taints = array(
  'Taints that the node carries for its whole life. Only pods that tolerate them are placed on it.',
  taint,
  { listType: 'atomic' },
);

export const startupTaints = array(
  'Taints that the node starts with and that something else, such as a network DaemonSet, takes off once the node is usable. Pods need not tolerate them to have the node made for them.',
  taint,
  { listType: 'atomic' },
);

const notEmpty = (field: string): ValidationRule => ({
  rule: `self != ''`,
  message: `${field} may not be empty`,
});

export function nodeClassReference(rules: readonly ValidationRule[] = []) {
  return object(
    'The NodeClass that holds what the cloud needs to know: images, networks, disks.',
    {
      group: required(
        string('The API group of the NodeClass, such as `karpenter.k8s.aws`.', {
          pattern: '^[^/]*$',
          rules: [notEmpty('group')],
        }),
      ),
      kind: required(
        string('The kind of the NodeClass, such as `EC2NodeClass`.', { rules: [notEmpty('kind')] }),
      ),
      name: required(string('The name of the NodeClass.', { rules: [notEmpty('name')] })),
    },
    { rules },
  );
}

export type NodeClassReference = Infer<ReturnType<typeof nodeClassReference>>;

export const terminationGracePeriod = string(
  'How long draining may take once the node is being removed; then the pods left are deleted, whatever their disruption budgets and do-not-disrupt annotations say. Unset means to wait for as long as it takes.',
  { pattern: durationPattern },
);

export const expireAfter = defaulted(
  string('How long a node may live before it is replaced, such as `720h`, or `Never`.', {
    pattern: nillableDurationPattern,
  }),
  '720h',
);
