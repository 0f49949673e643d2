import { CodedError } from '@karpenter/core/errors';
import type { Json } from '@karpenter/core/schema';
import { isNestedTooDeeply } from '@karpenter/kube/yaml';
import { parseAllDocuments } from 'yaml';
import type { InputFile } from './input-file.ts';
import { inputError, type Origin } from './origin.ts';

export interface InputDocument {
  readonly origin: Origin;
  readonly value: Json;
}

/** The non-empty documents of a JSON or YAML file. Throws a coded error that names the file when there is none. */
export function documentsOf(file: InputFile): readonly InputDocument[] {
  if (file.text.trim() === '') throw emptyFile(file);
  const values = looksLikeJson(file.text) ? [parseJson(file)] : parseYaml(file);
  const documents = values.flatMap((value, index) =>
    value === null ? [] : [{ origin: { file: file.name, document: index + 1 }, value: withoutNulls(value) }],
  );
  if (documents.length === 0) throw emptyFile(file);
  return documents;
}

function emptyFile({ name }: InputFile): CodedError {
  return new CodedError('empty-file', `${name} is empty; write at least one object into it`, {
    details: { file: name },
  });
}

/**
 * Parses as JSON what begins like JSON: `JSON.parse` is far faster than the YAML parser on large inputs. A YAML flow
 * mapping may begin with a brace too, but hardly ever with a brace and a quotation mark.
 */
function looksLikeJson(text: string): boolean {
  return /^\s*[[{]\s*["[{\]}]/.test(text);
}

function parseJson({ name, text }: InputFile): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed({ file: name, document: 1 }, 'JSON', jsonProblem(error, text), error);
  }
}

/**
 * Replaces V8's character position by line and column. Some of its messages also quote the input, line breaks
 * included; that part is cut, because our messages are one sentence on one line.
 */
function jsonProblem(error: unknown, text: string): string {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  const [, problem = '', position] = /^(.*?) in JSON at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return message.replace(/, .* is not valid JSON$/, '');
  const before = text.slice(0, Number(position)).split('\n');
  return `${problem} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function parseYaml({ name, text }: InputFile): readonly Json[] {
  if (isNestedTooDeeply(text)) {
    throw malformed({ file: name, document: 1 }, 'YAML', 'it is nested too deeply');
  }
  const documents = parseAllDocuments(text, { merge: true });
  if (!Array.isArray(documents)) return [];
  return documents.map((document, index) => {
    const origin = { file: name, document: index + 1 };
    const [error] = document.errors;
    if (error !== undefined) throw malformed(origin, 'YAML', yamlProblem(error), error);
    return toJson(origin, () => document.toJS());
  });
}

/** Keeps the first line of the message: the parser appends an excerpt of the input. */
function yamlProblem({ message }: Error): string {
  return oneLine(message.split('\n')[0] ?? '').replace(/:$/, '');
}

/** The YAML parser reports excessive and unresolved aliases only when it converts a document. */
function toJson(origin: Origin, convert: () => Json): Json {
  try {
    return convert();
  } catch (error) {
    throw malformed(origin, 'YAML', oneLine(error instanceof Error ? error.message : String(error)), error);
  }
}

function malformed(origin: Origin, language: string, problem: string, cause?: unknown): CodedError {
  return inputError('malformed-file', origin, `not valid ${language}: ${lowered(problem)}`, cause);
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Removes null members, which Kubernetes treats as absent. Returns the same object where there are none, so that pods
 * that share parts after parsing still share them: the planner compares shared parts by identity first.
 */
function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? listWithoutNulls(value)
    : objectWithoutNulls(value as { [key: string]: Json });
}

function listWithoutNulls(list: readonly Json[]): Json {
  const cleaned = list.map(withoutNulls);
  return cleaned.every((item, index) => item === list[index]) ? list : cleaned;
}

function objectWithoutNulls(object: { readonly [key: string]: Json }): Json {
  const entries = Object.entries(object);
  const cleaned = entries
    .filter(([, member]) => member !== null)
    .map(([name, member]): [string, Json] => [name, withoutNulls(member)]);
  const isSame =
    cleaned.length === entries.length && cleaned.every(([, member], i) => member === entries[i]?.[1]);
  return isSame ? object : Object.fromEntries(cleaned);
}
