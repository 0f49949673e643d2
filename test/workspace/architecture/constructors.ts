import { isTest, packageOf, type SourceFile, withoutComments } from './source-file.ts';

/** Constructors as the formatter writes them, two spaces deep, up to the brace that closes them. */
const constructorBody = /^ {2}(?:private |protected )?constructor\([\s\S]*?^ {2}(?:\}|.*\{\})$/gm;

/** Watches begin with the first `of` of a cache set, with `startWatchCache`, or in a function named `watch…`. */
const startsWork =
  /\bcaches\.of\(|\bstartWatchCache\(|[\w.#]*\b#?watch\w*\(|\.subscribe\(|\bset(?:Timeout|Interval|Immediate)\(/g;

/**
 * Constructors that start a watch or a timer. Whoever wires the parts decides when work starts, and in which order;
 * a constructor takes what is started already, or leaves it to a method `start`.
 */
export function workingConstructors(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => packageOf(path) !== undefined && !isTest(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(constructorBody)]
        .flatMap(([body]) => [...body.matchAll(startsWork)])
        .map(([call]) => `${path}: a constructor calls ${call.slice(0, -1)}`),
    );
}
