/** A name that the API server accepts for an object and that labels can hold: group names may be longer and freer. */
export function objectName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return plain === '' ? 'group' : plain;
}
