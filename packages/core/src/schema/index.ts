export {
  type AdmissionRequest,
  type Admitted,
  admitCustomResource,
  type CustomResourceWrite,
  checkCustomResource,
  type DecodedCustomResource,
  decodeCustomResource,
  prepareCustomResource,
  readCustomResource,
} from './admission.ts';
export type { AdmissionRefusal } from './admission-refusal.ts';
export { applyDefaults, memberSchema } from './apply-defaults.ts';
export {
  array,
  boolean,
  dateTime,
  defaulted,
  enumeration,
  type Infer,
  type InferObject,
  integer,
  map,
  object,
  type PresentSchema,
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
  type FieldErrorType,
  fieldErrorText,
  type StatusCause,
  statusCause,
} from './field-error.ts';
export { itemPath } from './field-path.ts';
export type { Json, JsonObject, JsonSchema, ValidationRule } from './json-schema.ts';
export { equalJson, isJsonArray, isJsonObject, member } from './json-value.ts';
export { type Pruned, prune } from './prune.ts';
export {
  type ObjectMeta,
  type OwnerReference,
  type Resource,
  type ResourceKind,
  type ResourceKindOptions,
  type ResourceOf,
  resourceKind,
} from './resource-kind.ts';
export { hasRules, type RuleChecker, type RuleSubject } from './rule-checker.ts';
export { memberPath } from './schema-walk.ts';
export { validate } from './validate.ts';
export { typeName } from './validation/types.ts';
