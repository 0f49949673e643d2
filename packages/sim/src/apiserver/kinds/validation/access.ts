import { equalJson, type FieldError, itemPath, type JsonObject } from '@karpenter/core/schema';
import { subdomainProblems } from '@karpenter/core/values';
import { listAt, numberAt, objectAt, objectsAt, textAt, valueAt } from '../draft.ts';
import { invalid, notSupported, oneOf, problemsAt, required, wrongStruct } from './field-errors.ts';
import { labelSelector } from './selectors.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/**
 * A Role is about one namespace, so it cannot allow URLs such as /metrics, which belong to no namespace; only a
 * ClusterRole can.
 */
export const role = (object: JsonObject): readonly FieldError[] => rules(object, true);
export const clusterRole = (object: JsonObject): readonly FieldError[] => rules(object, false);

function rules(object: JsonObject, isNamespaced: boolean): readonly FieldError[] {
  return objectsAt(object, 'rules').flatMap((rule, index) =>
    ruleErrors(itemPath('rules', index), rule, isNamespaced),
  );
}

function ruleErrors(field: string, rule: JsonObject, isNamespaced: boolean): readonly FieldError[] {
  const urls = listAt(rule, 'nonResourceURLs');
  const count = (name: string) => listAt(rule, name).length;
  const verbs =
    count('verbs') === 0 ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : [];
  if (urls.length > 0) return [...verbs, ...urlRule(`${field}.nonResourceURLs`, rule, isNamespaced)];
  return [
    ...verbs,
    ...(count('apiGroups') === 0
      ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(count('resources') === 0
      ? [required(`${field}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ];
}

function urlRule(field: string, rule: JsonObject, isNamespaced: boolean): readonly FieldError[] {
  const urls = listAt(rule, 'nonResourceURLs');
  const mixes = ['apiGroups', 'resources', 'resourceNames'].some((name) => listAt(rule, name).length > 0);
  return [
    ...(isNamespaced ? [invalid(field, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
    ...(mixes
      ? [invalid(field, urls, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

export const roleBinding = (object: JsonObject): readonly FieldError[] =>
  binding(object, ['Role', 'ClusterRole']);
export const clusterRoleBinding = (object: JsonObject): readonly FieldError[] =>
  binding(object, ['ClusterRole']);

function binding(object: JsonObject, roleKinds: readonly string[]): readonly FieldError[] {
  const reference = objectAt(object, 'roleRef');
  return [
    ...oneOf('roleRef.apiGroup', textAt(reference, 'apiGroup'), [rbacGroup]),
    ...oneOf('roleRef.kind', textAt(reference, 'kind'), roleKinds),
    ...(textAt(reference, 'name') === '' ? [required('roleRef.name')] : []),
    ...objectsAt(object, 'subjects').flatMap((subject, index) =>
      subjectErrors(itemPath('subjects', index), subject),
    ),
  ];
}

function subjectErrors(field: string, subject: JsonObject): readonly FieldError[] {
  const name = textAt(subject, 'name') === '' ? [required(`${field}.name`)] : [];
  const group = textAt(subject, 'apiGroup');
  switch (textAt(subject, 'kind')) {
    case 'ServiceAccount':
      return [
        ...name,
        ...oneOf(`${field}.apiGroup`, group, ['']),
        ...(textAt(subject, 'namespace') === '' ? [required(`${field}.namespace`)] : []),
      ];
    case 'User':
    case 'Group':
      return [...name, ...oneOf(`${field}.apiGroup`, group, [rbacGroup])];
    default:
      return [
        ...name,
        notSupported(`${field}.kind`, textAt(subject, 'kind'), ['ServiceAccount', 'User', 'Group']),
      ];
  }
}

/**
 * The role of a binding is immutable, so that the permission to update a binding is one to manage its subjects, and not
 * one to give them another role.
 */
export function bindingUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const reference = objectAt(object, 'roleRef');
  if (equalJson(reference, valueAt(old, 'roleRef'))) return [];
  const struct = {
    APIGroup: textAt(reference, 'apiGroup'),
    Kind: textAt(reference, 'kind'),
    Name: textAt(reference, 'name'),
  };
  return [wrongStruct({ type: 'Invalid', field: 'roleRef', struct, detail: 'cannot change roleRef' })];
}

export function webhooks(object: JsonObject): readonly FieldError[] {
  return objectsAt(object, 'webhooks').flatMap((webhook, index) =>
    webhookErrors(itemPath('webhooks', index), webhook),
  );
}

function webhookErrors(field: string, webhook: JsonObject): readonly FieldError[] {
  const versions = listAt(webhook, 'admissionReviewVersions');
  const timeout = numberAt(webhook, 'timeoutSeconds') ?? 10;
  const versionDetail = 'must specify one of v1, v1beta1';
  const isKnown = versions.includes('v1') || versions.includes('v1beta1');
  return [
    ...(versions.length === 0 ? [required(`${field}.admissionReviewVersions`, versionDetail)] : []),
    ...(versions.length > 0 && !isKnown
      ? [invalid(`${field}.admissionReviewVersions`, versions, 'must include at least one of v1, v1beta1')]
      : []),
    ...webhookName(`${field}.name`, textAt(webhook, 'name')),
    ...oneOf(`${field}.failurePolicy`, valueAt(webhook, 'failurePolicy'), ['Fail', 'Ignore']),
    ...oneOf(`${field}.matchPolicy`, valueAt(webhook, 'matchPolicy'), ['Equivalent', 'Exact']),
    ...sideEffects(`${field}.sideEffects`, valueAt(webhook, 'sideEffects')),
    ...(timeout < 1 || timeout > 30
      ? [invalid(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...labelSelector(`${field}.namespaceSelector`, valueAt(webhook, 'namespaceSelector')),
    ...labelSelector(`${field}.objectSelector`, valueAt(webhook, 'objectSelector')),
    ...clientConfig(`${field}.clientConfig`, objectAt(webhook, 'clientConfig')),
  ];
}

/** v1 accepts only webhooks that are safe to call for a dry run; `Unknown` and `Some` were valid in v1beta1. */
function sideEffects(field: string, value: JsonObject[string] | undefined): readonly FieldError[] {
  if (value === undefined) return [required(field, 'must specify one of None, NoneOnDryRun')];
  return oneOf(field, value, ['None', 'NoneOnDryRun']);
}

/** At least three segments, so that names of different vendors do not clash in one configuration. */
function webhookName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [required(field)];
  const problems = subdomainProblems(name);
  if (problems.length > 0) return problemsAt(field, name, problems);
  const detail = 'should be a domain with at least three segments separated by dots';
  return name.split('.').length < 3 ? [invalid(field, name, detail)] : [];
}

function clientConfig(field: string, config: JsonObject | undefined): readonly FieldError[] {
  const service = objectAt(config, 'service');
  const hasUrl = valueAt(config, 'url') !== undefined;
  if (hasUrl === (service !== undefined))
    return [required(field, 'exactly one of url or service is required')];
  if (!service) return [];
  return ['name', 'namespace']
    .filter((name) => textAt(service, name) === '')
    .map((name) => required(`${field}.service.${name}`, `service ${name} is required`));
}

export const ingressClass = (object: JsonObject): readonly FieldError[] =>
  textAt(object, 'spec', 'controller') === '' ? [required('spec.controller')] : [];
