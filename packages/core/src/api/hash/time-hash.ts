import { parseTimestamp } from '../conditions/index.ts';
import { fnv1, type Hash } from './fnv.ts';
import { hashStructure } from './structural-hash.ts';

/** Seconds from 0001-01-01, Go's zero time, to 1970-01-01. */
const secondsFromYearOneToEpoch = 62_135_596_800n;

/**
 * A time as Karpenter hashes it: the 15 bytes of Go's binary encoding (version, seconds, nanoseconds, all big
 * endian, and the zone offset, which is 0 because controllers run in UTC). Undefined for an invalid time.
 */
export function hashTime(text: string): Hash | undefined {
  const moment = parseTimestamp(text);
  if (moment === undefined) return undefined;
  const seconds = BigInt(moment.epochSeconds) + secondsFromYearOneToEpoch;
  const bytes = [1, ...bigEndian(seconds, 8), ...bigEndian(BigInt(moment.nanoseconds), 4), 0, 0];
  return hashStructure('Time', [['Time', fnv1(bytes)]]);
}

function bigEndian(value: bigint, size: number): readonly number[] {
  return Array.from({ length: size }, (_, index) =>
    Number((value >> BigInt(8 * (size - 1 - index))) & 0xffn),
  );
}
