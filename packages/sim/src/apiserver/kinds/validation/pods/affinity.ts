import { type FieldError, itemPath, type Json, type JsonObject } from '@karpenter/core/schema';
import { numberAt, objectAt, objectsAt, textAt, valueAt } from '../../draft.ts';
import { invalid, required } from '../field-errors.ts';
import { qualifiedName } from '../names.ts';
import { labelSelector, nodeSelector, nodeSelectorTerm } from '../selectors.ts';

const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function weight(field: string, value: JsonObject): readonly FieldError[] {
  const given = numberAt(value, 'weight') ?? 0;
  return given < 1 || given > 100 ? [invalid(`${field}.weight`, given, 'must be in the range 1-100')] : [];
}

export function affinity(field: string, value: Json | undefined): readonly FieldError[] {
  return [
    ...nodeAffinity(`${field}.nodeAffinity`, objectAt(value, 'nodeAffinity')),
    ...podAffinity(`${field}.podAffinity`, objectAt(value, 'podAffinity')),
    ...podAffinity(`${field}.podAntiAffinity`, objectAt(value, 'podAntiAffinity')),
  ];
}

function nodeAffinity(field: string, value: JsonObject | undefined): readonly FieldError[] {
  if (!value) return [];
  const selector = objectAt(value, needed);
  return [
    ...(selector ? nodeSelector(`${field}.${needed}`, selector) : []),
    ...objectsAt(value, preferred).flatMap((term, index) => {
      const path = itemPath(`${field}.${preferred}`, index);
      return [
        ...weight(path, term),
        ...nodeSelectorTerm(`${path}.preference`, valueAt(term, 'preference') ?? {}),
      ];
    }),
  ];
}

function podAffinity(field: string, value: JsonObject | undefined): readonly FieldError[] {
  return [
    ...objectsAt(value, needed).flatMap((term, index) =>
      podTerm(itemPath(`${field}.${needed}`, index), term),
    ),
    ...objectsAt(value, preferred).flatMap((term, index) => {
      const path = itemPath(`${field}.${preferred}`, index);
      return [
        ...weight(path, term),
        ...podTerm(`${path}.podAffinityTerm`, valueAt(term, 'podAffinityTerm') ?? {}),
      ];
    }),
  ];
}

function podTerm(field: string, term: Json): readonly FieldError[] {
  const key = textAt(term, 'topologyKey');
  return [
    ...labelSelector(`${field}.labelSelector`, valueAt(term, 'labelSelector')),
    ...labelSelector(`${field}.namespaceSelector`, valueAt(term, 'namespaceSelector')),
    ...(key === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...qualifiedName(`${field}.topologyKey`, key),
  ];
}
