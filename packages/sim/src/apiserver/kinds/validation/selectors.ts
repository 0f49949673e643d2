import { type FieldError, isJsonObject, itemPath, type Json } from '@karpenter/core/schema';
import { compileLabelSelector } from '@karpenter/core/values';
import { listAt, objectsAt, textAt, textsAt } from '../draft.ts';
import { forbidden, invalid, required } from './field-errors.ts';
import { labelMap, qualifiedName } from './names.ts';

const inDetail = "must be specified when `operator` is 'In' or 'NotIn'";
const existsDetail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

/** A label selector; an absent one is valid. */
export function labelSelector(field: string, selector: Json | undefined): readonly FieldError[] {
  return [
    ...labelMap(`${field}.matchLabels`, textsAt(selector, 'matchLabels')),
    ...objectsAt(selector, 'matchExpressions').flatMap((expression, index) =>
      labelExpression(itemPath(`${field}.matchExpressions`, index), expression),
    ),
  ];
}

function labelExpression(field: string, expression: Json): readonly FieldError[] {
  return [
    ...operatorErrors(field, expression, false),
    ...qualifiedName(`${field}.key`, textAt(expression, 'key')),
  ];
}

function operatorErrors(field: string, expression: Json, knowsOrder: boolean): readonly FieldError[] {
  const operator = textAt(expression, 'operator');
  const values = listAt(expression, 'values').length;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values === 0 ? [required(`${field}.values`, inDetail)] : [];
    case 'Exists':
    case 'DoesNotExist':
      return values > 0 ? [forbidden(`${field}.values`, existsDetail)] : [];
    default:
      return knowsOrder && (operator === 'Gt' || operator === 'Lt')
        ? orderErrors(field, values)
        : [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

function orderErrors(field: string, values: number): readonly FieldError[] {
  const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  return values === 1 ? [] : [required(`${field}.values`, detail)];
}

/** One term of a node selector: expressions over labels and over fields. */
export function nodeSelectorTerm(field: string, term: Json): readonly FieldError[] {
  const expressions = objectsAt(term, 'matchExpressions').flatMap((expression, index) => {
    const path = itemPath(`${field}.matchExpressions`, index);
    return [
      ...operatorErrors(path, expression, true),
      ...qualifiedName(`${path}.key`, textAt(expression, 'key')),
    ];
  });
  const fields = objectsAt(term, 'matchFields').flatMap((requirement, index) =>
    nodeField(itemPath(`${field}.matchFields`, index), requirement),
  );
  return [...expressions, ...fields];
}

function nodeField(field: string, requirement: Json): readonly FieldError[] {
  const operator = textAt(requirement, 'operator');
  const key = textAt(requirement, 'key');
  const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const isKnown = operator === 'In' || operator === 'NotIn';
  return [
    ...(isKnown ? [] : [invalid(`${field}.operator`, operator, 'not a valid selector operator')]),
    ...(isKnown && listAt(requirement, 'values').length !== 1 ? [required(`${field}.values`, single)] : []),
    ...(key === 'metadata.name' ? [] : [invalid(`${field}.key`, key, 'not a valid field selector key')]),
  ];
}

export function nodeSelector(field: string, selector: Json | undefined): readonly FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  if (terms.length === 0) {
    return [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')];
  }
  return terms.flatMap((term, index) =>
    nodeSelectorTerm(itemPath(`${field}.nodeSelectorTerms`, index), term),
  );
}

export const isEmptySelector = (selector: Json | undefined) =>
  Object.keys(textsAt(selector, 'matchLabels')).length === 0 &&
  listAt(selector, 'matchExpressions').length === 0;

/** Whether a valid selector matches these labels; an absent one matches nothing. */
export function selects(selector: Json | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (!isJsonObject(selector)) return false;
  const requirements = objectsAt(selector, 'matchExpressions').map((expression) => ({
    key: textAt(expression, 'key'),
    operator: textAt(expression, 'operator'),
    values: listAt(expression, 'values').map(String),
  }));
  return compileLabelSelector({
    matchLabels: textsAt(selector, 'matchLabels'),
    matchExpressions: requirements,
  })(labels);
}
