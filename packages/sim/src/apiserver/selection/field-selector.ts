import type { JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { badRequest } from '../status/status-errors.ts';
import { metadataOf } from '../store/index.ts';
import { type FieldTerm, fieldTerms } from './field-terms.ts';

export type FieldTest = (object: JsonObject) => boolean;

type FieldReader = (object: JsonObject) => string;

const readName: FieldReader = (object) => String(metadataOf(object)['name'] ?? '');
const readNamespace: FieldReader = (object) => String(metadataOf(object)['namespace'] ?? '');

/**
 * Compiles a field selector such as `spec.nodeName=a,status.phase!=Running`; throws 400 for a field that the
 * kind does not support.
 */
export function parseFieldSelector(kind: ServedKind, text: string): FieldTest {
  const tests = fieldTerms(text).map((term) => testOf(kind, term));
  return (object) => tests.every((test) => test(object));
}

/** The name that a selector requires, if any, so that a list needs to look at one object only. */
export function requiredName(text: string): string | undefined {
  const isName = ({ field, isEqual, value }: FieldTerm) =>
    isEqual && field === 'metadata.name' && value !== '';
  return fieldTerms(text).find(isName)?.value;
}

/**
 * JSON that an object must contain to match. Not for values that a missing field may have: '', 0 and false.
 */
export function requiredJson(text: string): readonly string[] {
  return fieldTerms(text)
    .filter(({ isEqual, value }) => isEqual && !/^(?:true|false|[\d.+-]*)$/.test(value))
    .map(({ value }) => JSON.stringify(value).slice(1, -1));
}

function testOf(kind: ServedKind, { field, isEqual, value }: FieldTerm): FieldTest {
  const read = readerOf(kind, field);
  if (read === undefined) throw badRequest(unknownField(kind, field));
  return (object) => (read(object) === value) === isEqual;
}

/** `hasOwn`, because a client may send names of Object.prototype such as `constructor`. */
function readerOf(kind: ServedKind, field: string): FieldReader | undefined {
  if (field === 'metadata.name') return readName;
  const hasNamespace = kind.namespaced || !hasOwnFields(kind);
  if (field === 'metadata.namespace' && hasNamespace) return readNamespace;
  return Object.hasOwn(kind.fieldSelectors, field) ? kind.fieldSelectors[field] : undefined;
}

function hasOwnFields({ fieldSelectors }: ServedKind): boolean {
  return Object.keys(fieldSelectors).length > 0;
}

/** The message differs between kinds in kube-apiserver, and clients see it. */
function unknownField(kind: ServedKind, field: string): string {
  if (!hasOwnFields(kind))
    return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
  if (kind.group === 'batch') return `field label ${JSON.stringify(field)} not supported for ${kind.kind}`;
  if (kind.group === 'resource.k8s.io')
    return `field label not supported for ${kind.group}/${kind.version}, Kind=${kind.kind}: ${field}`;
  return `field label not supported: ${field}`;
}
