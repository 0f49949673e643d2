export type SettingKind = 'text' | 'integer' | 'number' | 'boolean' | 'duration' | 'choice' | 'feature gates';
export type SettingSource = 'flag' | 'environment';

/**
 * The result of parsing a text: a value; nothing, because it is not of the kind at all (an environment
 * variable then falls back to the default); or a refusal, which stops the program whatever the source.
 */
export type SettingReading<Value> =
  | { readonly value: Value; readonly warnings?: readonly string[] }
  | { readonly unreadable: string }
  | { readonly refused: string };

/** One setting: how to set it, what it accepts and what it is for. */
export interface SettingDefinition<Value = unknown> {
  readonly kind: SettingKind;
  /** Without dashes. */
  readonly flag: string;
  readonly env: string;
  readonly default: Value;
  readonly defaultText: string;
  /** What a value looks like, with its article: `a whole number`. */
  readonly accepts: string;
  /** All values, of a setting that has a few. */
  readonly choices?: readonly string[];
  /** One line, for `--help` and the reference docs. */
  readonly description: string;
  read(text: string, source: SettingSource): SettingReading<Value>;
  /** The problem with a parsed value, given or default. */
  check?(value: Value): string | undefined;
}

export type SettingDefinitions = Readonly<Record<string, SettingDefinition>>;
export type Settings<Definitions extends SettingDefinitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends SettingDefinition<infer Value>
    ? Value
    : never;
};

export interface SettingOptions<Value> {
  readonly default: Value;
  readonly description: string;
  readonly accepts?: string;
  readonly check?: (value: Value) => string | undefined;
}

/** Defines a setting whose environment variable is the flag in upper case, as for all of them. */
export function defineSetting<Value>(
  kind: SettingKind,
  flag: string,
  options: SettingOptions<Value> & { readonly accepts: string },
  read: SettingDefinition<Value>['read'],
): SettingDefinition<Value> {
  const { default: fallback, accepts, description, check } = options;
  const common = {
    kind,
    flag,
    env: environmentName(flag),
    default: fallback,
    defaultText: String(fallback),
    accepts,
    description,
  };
  return check === undefined ? { ...common, read } : { ...common, read, check };
}

export function environmentName(flag: string): string {
  return flag.toUpperCase().replaceAll('-', '_');
}
