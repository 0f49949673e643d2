const concurrency = 32;

/** Calls `work` for 0, 1, … `count` − 1, with 32 calls at a time. */
export async function withWorkers(count, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
