import { badRequest } from '../status/status-errors.ts';

/** A whole number from the query; 0 where it is absent. */
export function queryNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  const parsing = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`${parsing}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value) throw badRequest(`${parsing}: value out of range`);
  return Number(value);
}
