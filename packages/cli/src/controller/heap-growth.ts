import { setFlagsFromString } from 'node:v8';

const growthPercent = 40;

/**
 * Lets the heap of this process grow by two fifths of what lives in it before it is cleared up. V8 goes by the memory of the
 * machine, and on a large node waits until there are several times as much. It reads the flag whenever it has cleared up.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
