/**
 * Calls `compute` once for each argument and keeps every result, by identity of the argument, for as long as
 * the returned function lives. For results that many callers need of the few objects they share. A result of
 * `undefined` is not kept.
 */
export function memoized<Argument extends object, Result>(
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const results = new Map<Argument, Result>();
  return (argument) => {
    const known = results.get(argument);
    if (known !== undefined) return known;
    const result = compute(argument);
    results.set(argument, result);
    return result;
  };
}

/**
 * As `memoized`, but keeps only the last result, while all arguments are the same objects: it never grows.
 */
export function memoizedLast<Arguments extends readonly unknown[], Result>(
  compute: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  let last: { readonly args: Arguments; readonly result: Result } | undefined;
  return (...args) => {
    if (last?.args.every((argument, index) => argument === args[index])) return last.result;
    const result = compute(...args);
    last = { args, result };
    return result;
  };
}
