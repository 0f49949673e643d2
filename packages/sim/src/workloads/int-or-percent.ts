interface ShareOptions {
  readonly total: number;
  readonly rounding: 'up' | 'down';
  readonly otherwise: string | number;
}

/** Resolves an IntOrString such as 3 or `25%` against a total. */
export function resolveShare(
  value: string | number | undefined,
  { total, rounding, otherwise }: ShareOptions,
): number {
  const stated = value ?? otherwise;
  if (typeof stated === 'number') return stated;
  const percent = /^(\d+)%$/.exec(stated)?.[1];
  if (percent === undefined) return Number(stated) || 0;
  const share = (Number(percent) * total) / 100;
  return rounding === 'up' ? Math.ceil(share) : Math.floor(share);
}
