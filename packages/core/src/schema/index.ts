/**
 * The structural schemas that API kinds are written in, and what an API server does with them: pruning,
 * defaults, validation, ratcheting, list types and the CRD itself. Messages are those of kube-apiserver 1.36,
 * word for word. Pure; CEL rules are checked through `RuleChecker`, because core has no dependencies. Start
 * with `builder.ts` (writing a kind) and `admission.ts` (admitting an object).
 */

export {
  admitCustomResource,
  checkCustomResource,
  decodeCustomResource,
  prepareCustomResource,
  readCustomResource,
} from './admission.ts';
export type { AdmissionRefusal } from './admission-refusal.ts';
export { memberSchema } from './apply-defaults.ts';
export {
  array,
  boolean,
  dateTime,
  defaulted,
  enumeration,
  type Infer,
  integer,
  map,
  object,
  quantity,
  quantityPattern,
  required,
  type Schema,
  string,
  stringItem,
} from './builder.ts';
export {
  type Condition,
  conditionMap,
  conditions,
  type LenientCondition,
  lenientConditions,
} from './condition-schema.ts';
export { counterpart, isUnchanged } from './correlation.ts';
export type {
  CustomResourceDefinition,
  CustomResourceVersion,
  PrinterColumn,
} from './custom-resource-definition.ts';
export {
  type FieldError,
  fieldErrorText,
  maxReportedErrors,
  reportErrors,
  type StatusCause,
  statusCause,
} from './field-error.ts';
export { itemPath } from './field-path.ts';
export type { Json, JsonObject, JsonSchema, ValidationRule } from './json-schema.ts';
export { equalJson, isJsonArray, isJsonObject, member } from './json-value.ts';
export { choice, listOf } from './plain-schemas.ts';
export { prune } from './prune.ts';
export {
  type CompleteOwnerReference,
  type ObjectMeta,
  type Resource,
  type ResourceKind,
  type ResourceOf,
  resourceKind,
} from './resource-kind.ts';
export { hasRules, type PatternMatcher, type RuleChecker, type RuleSubject } from './rule-checker.ts';
export { memberPath } from './schema-walk.ts';
export { validate } from './validate.ts';
