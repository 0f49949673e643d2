const rounds = 7;
const roundSeconds = 0.25;

const now = () => Number(process.hrtime.bigint()) / 1e9;

/**
 * Operations per second, where `call` performs `unit` of them. The best of several rounds after a warm-up:
 * other load on the machine can only slow a round down.
 */
export function rate(call, unit = 1) {
  roundRate(call, unit);
  return Math.max(...Array.from({ length: rounds }, () => roundRate(call, unit)));
}

function roundRate(call, unit) {
  const start = now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < roundSeconds) {
    call();
    calls++;
    elapsed = now() - start;
  }
  return (calls * unit) / elapsed;
}

/** Heap bytes per operation, where `call` performs `unit` of them; needs --expose-gc. */
export function bytesEach(call, unit = 1) {
  for (let i = 0; i < 50; i++) call();
  const samples = Array.from({ length: rounds }, () => bytesOfRound(call, unit)).sort((a, b) => a - b);
  return Math.max(0, samples[rounds >> 1]);
}

// Too few calls to fill the young generation: a collection in between would hide allocations.
function bytesOfRound(call, unit) {
  const calls = 5;
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < calls; i++) call();
  return (process.memoryUsage().heapUsed - before) / (calls * unit);
}

/**
 * A fixed amount of plain arithmetic and array work. Times are compared as multiples of it, so that a
 * baseline of one machine is meaningful on another.
 */
export function yardstick() {
  const cells = new Int32Array(4096);
  const walk = () => {
    let at = 1;
    for (let i = 0; i < 20_000; i++) {
      at = (Math.imul(at, 1_103_515_245) + 12_345) & 0x7fffffff;
      cells[at & 4095] = (cells[at & 4095] + (at >>> 8)) | 0;
    }
    return cells[0];
  };
  return rate(walk);
}
