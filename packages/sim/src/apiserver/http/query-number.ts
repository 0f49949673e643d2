import { badRequest } from '../status/status-errors.ts';

/** An int64 from the query, 0 when absent. Errors have the text of Go's strconv, which clients see. */
export function queryNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  const parsing = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`${parsing}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value) throw badRequest(`${parsing}: value out of range`);
  return Number(value);
}
