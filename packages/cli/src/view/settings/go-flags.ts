/** Rewrites Go's `-flag` and `-flag=value` to the `--flag` of this command line; `-o` and `-h` stay as they are. */
export function withDoubleDashes(args: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    const isAfterEnd = end !== -1 && index > end;
    const name = /^-([a-z][a-z-]+)(=|$)/.exec(arg)?.[1];
    return !isAfterEnd && name !== undefined && names.has(name) ? `-${arg}` : arg;
  });
}
