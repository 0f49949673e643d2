import { parseAllDocuments } from 'yaml';
import { isNestedTooDeeply } from './yaml-nesting.ts';

/** The text is no YAML, has too many levels, or its aliases expand too far. The message is one line. */
export class YamlError extends Error {}

/** The value of the only document; null for an empty text. */
export function parseYaml(text: string): unknown {
  const values = parseYamlDocuments(text);
  if (values.length > 1) throw new YamlError('there is more than one document');
  return values[0] ?? null;
}

/** The values of all documents. */
export function parseYamlDocuments(text: string): readonly unknown[] {
  if (isNestedTooDeeply(text)) throw new YamlError('it is nested too deeply');
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  return documents.map((document): unknown => {
    const [error] = document.errors;
    if (error !== undefined) throw unreadable(error);
    try {
      return document.toJS();
    } catch (expansion) {
      throw unreadable(expansion);
    }
  });
}

/** Keeps the first line of the message; in the others the library quotes the source. */
function unreadable(cause: unknown): YamlError {
  const [reason = ''] = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
  return new YamlError(reason.replace(/:$/, ''), { cause });
}
