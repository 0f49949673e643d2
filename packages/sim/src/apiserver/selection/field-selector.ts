import type { JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { StatusError } from '../status/status-error.ts';
import { metadataOf } from '../store/index.ts';

export type FieldTest = (object: JsonObject) => boolean;

const metadataFields: ServedKind['fieldSelectors'] = {
  'metadata.name': (object) => String(metadataOf(object)['name'] ?? ''),
  'metadata.namespace': (object) => String(metadataOf(object)['namespace'] ?? ''),
};

/** `spec.nodeName=a,status.phase!=Running`. */
export function parseFieldSelector(kind: ServedKind, text: string): FieldTest {
  const tests = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [parseTerm(kind, part.trim())]));
  return (object) => tests.every((test) => test(object));
}

/** The name that a selector demands, if it does: then there is no need to look at other objects. */
export function requiredName(text: string): string | undefined {
  for (const part of text.split(',')) {
    const name = /^\s*metadata\.name={1,2}([^=!]+)$/.exec(part)?.[1];
    if (name !== undefined) return name.trim();
  }
  return undefined;
}

function parseTerm(kind: ServedKind, term: string): FieldTest {
  const parts = /^([^=!]*)(==|=|!=)(.*)$/.exec(term);
  if (!parts)
    throw new StatusError(400, 'BadRequest', `invalid selector: '${term}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = parts;
  const read = metadataFields[field] ?? kind.fieldSelectors[field];
  if (read === undefined) throw new StatusError(400, 'BadRequest', unknownField(kind, field));
  const wanted = value.replace(/\\([\\,=])/g, '$1');
  return operator === '!=' ? (object) => read(object) !== wanted : (object) => read(object) === wanted;
}

/** Kinds with selectors of their own word it differently from those without. */
function unknownField({ fieldSelectors }: ServedKind, field: string): string {
  if (Object.keys(fieldSelectors).length > 0) return `field label not supported: ${field}`;
  return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
