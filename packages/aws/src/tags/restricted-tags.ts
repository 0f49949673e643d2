import { isRestrictedTag } from '../names/index.ts';

/** What is wrong with the tags of a class, undefined if nothing is: some keys are for the product alone. */
export function restrictedTagsMessage(tags: Readonly<Record<string, string>> = {}): string | undefined {
  const restricted = Object.keys(tags).filter(isRestrictedTag).sort();
  if (restricted.length === 0) return undefined;
  const quoted = restricted.map((key) => JSON.stringify(key));
  return `tags failed validation requirements (tags=${quoted.join(', ')})`;
}
