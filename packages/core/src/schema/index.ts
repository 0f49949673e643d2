export type {
  CustomResourceDefinition,
  CustomResourceVersion,
  PrinterColumn,
} from './custom-resource-definition.ts';
export type { Json, JsonObject, JsonSchema, ValidationRule } from './json-schema.ts';
