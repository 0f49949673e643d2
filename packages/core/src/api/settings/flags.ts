import type { SettingDefinition } from './setting.ts';

export interface FlagReading {
  /** Texts by flag; the last one counts. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

const flagPattern = /^--?([^-=][^=]*)(?:=(.*))?$/s;

/**
 * Splits arguments like Go's flag package: one or two dashes; `--name=value` or `--name value`; a boolean
 * takes no separate value. Go stops silently at a word that is not a flag; this reports it.
 */
export function readFlags(
  definitions: ReadonlyMap<string, SettingDefinition>,
  args: readonly string[],
): FlagReading {
  const texts = new Map<string, string>();
  const problems: string[] = [];
  const rest = args.values();
  for (const arg of rest) {
    if (arg === '--') continue;
    const [, flag, inline] = flagPattern.exec(arg) ?? [];
    const definition = flag === undefined ? undefined : definitions.get(flag);
    if (flag === undefined || definition === undefined) {
      problems.push(unknown(arg, flag));
      continue;
    }
    const text = inline ?? (definition.kind === 'boolean' ? 'true' : nextText(rest));
    if (text === undefined) problems.push(`--${flag} needs a value; write ${definition.accepts}`);
    else texts.set(flag, text);
  }
  return { texts, problems };
}

function nextText(rest: IterableIterator<string>): string | undefined {
  const next = rest.next();
  return next.done === true ? undefined : next.value;
}

function unknown(arg: string, flag: string | undefined): string {
  if (flag === undefined) return `${JSON.stringify(arg)} is not a setting; write settings as --name=value`;
  return `--${flag} is not a setting; --help lists all settings`;
}
