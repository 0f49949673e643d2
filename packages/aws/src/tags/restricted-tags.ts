import { isRestrictedTag } from '../names/index.ts';

/** Returns an error message if the class sets tags that are reserved for Karpenter; undefined if not. */
export function restrictedTagsMessage(tags: Readonly<Record<string, string>> = {}): string | undefined {
  const restricted = Object.keys(tags).filter(isRestrictedTag).sort();
  if (restricted.length === 0) return undefined;
  const quoted = restricted.map((key) => JSON.stringify(key));
  return `tags failed validation requirements (tags=${quoted.join(', ')})`;
}
