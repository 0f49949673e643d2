/** Accepts leading zeros, as the API server does in CustomResourceDefinition formats. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}

export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (!text.includes(':') || halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const width = last.includes('.') ? groups.length + 1 : groups.length;
  const plain = last.includes('.') ? groups.slice(0, -1) : groups;
  if (last.includes('.') && !isIpv4(last)) return false;
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? width <= 7 : width === 8;
}

export function isMac(text: string): boolean {
  const bytes = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1)*[0-9a-f]{2}$/i.test(text);
  const words = /^(?:[0-9a-f]{4}\.)+[0-9a-f]{4}$/i.test(text);
  const bare = /^[0-9a-f]{12}$/i.test(text);
  const digits = text.replace(/[:.-]/g, '').length;
  return (bytes || words || bare) && [12, 16, 40].includes(digits);
}
