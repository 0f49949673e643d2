/**
 * Converts a group name to a valid object name and label value; group names may be longer and have other characters.
 */
export function objectName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return plain === '' ? 'group' : plain;
}
