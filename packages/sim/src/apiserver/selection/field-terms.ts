import { badRequest } from '../status/status-errors.ts';

/** One requirement of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

/** Parses a field selector; throws a StatusError with kube-apiserver's message. */
export function fieldTerms(text: string): readonly FieldTerm[] {
  return splitTerms(text).flatMap((term) => (term === '' ? [] : readTerm(text, term)));
}

/** Splits at commas that are not escaped with a backslash. */
function splitTerms(text: string): readonly string[] {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}

function readTerm(selector: string, term: string): readonly FieldTerm[] {
  const parts = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (parts === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator, escaped = ''] = parts;
  const value = unescaped(escaped);
  // kube-apiserver drops a term with neither field nor value.
  if (field === '' && value === '') return [];
  return [{ field, isEqual: operator !== '!=', value }];
}

function unescaped(value: string): string {
  const wrong = /^(?:\\[\\,=]|[^\\,=])*/s.exec(value)?.[0].length ?? 0;
  if (wrong === value.length) return value.replace(/\\([\\,=])/g, '$1');
  const character = value.charAt(wrong);
  if (character === '\\')
    throw badRequest(`invalid field selector: invalid escape sequence: ${value.slice(wrong, wrong + 2)}`);
  throw badRequest(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
}
