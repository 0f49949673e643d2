import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** What a heap holds, garbage included, and the room that V8 has made for new objects. */
export interface HeapFigures {
  readonly usedBytes: number;
  readonly youngBytes: number;
}

/** How V8 lets a heap grow. */
export interface HeapGrowth {
  /** By how much of what lives in it, before it is cleared up. */
  readonly percent: number;
  /** How many times the room for new objects is multiplied when too many of them outlive a collection. */
  readonly youngFactor: number;
}

const mebibyte = 1024 * 1024;
const smallHeapBytes = 128 * mebibyte;
const smallYoungBytes = 8 * mebibyte;

/**
 * A small heap is kept small: what is cleared up more often there is cleared up in milliseconds. New objects get two halves
 * of 4 MiB, of which V8 would make 16 or 32 each, and never give back while there is work. A large heap takes
 * longer to clear up, and many of its new objects stay: there V8 decides on the room for them.
 */
export function heapGrowth({ usedBytes, youngBytes }: HeapFigures): HeapGrowth {
  if (usedBytes > smallHeapBytes) return { percent: 40, youngFactor: 2 };
  return { percent: 20, youngFactor: youngBytes < smallYoungBytes ? 2 : 1 };
}

/**
 * Keeps the memory of this process close to what it needs. V8 goes by the memory of the machine, and on a large node lets
 * a heap become several times as large. It reads the flags whenever it has cleared up, so they are set then.
 */
export function keepHeapSmall(): void {
  const set = growthSetter();
  set(heapFigures());
  new PerformanceObserver(() => set(heapFigures())).observe({ entryTypes: ['gc'] });
}

function growthSetter(): (figures: HeapFigures) => void {
  let last: HeapGrowth = { percent: 0, youngFactor: 0 };
  return (figures) => {
    const { percent, youngFactor } = heapGrowth(figures);
    if (percent !== last.percent) setFlagsFromString(`--heap-growing-percent=${percent}`);
    if (youngFactor !== last.youngFactor) setFlagsFromString(`--semi-space-growth-factor=${youngFactor}`);
    last = { percent, youngFactor };
  };
}

function heapFigures(): HeapFigures {
  const spaces = getHeapSpaceStatistics();
  const young = spaces.find(({ space_name: name }) => name === 'new_space');
  return {
    usedBytes: spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0),
    youngBytes: young?.space_size ?? 0,
  };
}
