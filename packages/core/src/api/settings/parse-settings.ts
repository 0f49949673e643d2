import { CodedError } from '../../errors/index.ts';
import { readFlags } from './flags.ts';
import type { SettingDefinition, SettingDefinitions, Settings } from './setting.ts';

export interface ParsedSettings<Definitions extends SettingDefinitions> {
  readonly settings: Settings<Definitions>;
  /** What is ignored, one sentence each: environment variables that cannot be parsed, gates that do not exist. */
  readonly warnings: readonly string[];
}

/**
 * Settings from arguments and environment; a flag overrides its variable. Throws all problems together as one
 * `invalid-setting`, so that an operator need not fix them one restart at a time.
 */
export function parseSettings<const Definitions extends SettingDefinitions>(
  definitions: Definitions,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedSettings<Definitions> {
  const byFlag = new Map(Object.values(definitions).map((definition) => [definition.flag, definition]));
  const flags = readFlags(byFlag, args);
  const values: Record<string, unknown> = {};
  const problems = [...flags.problems];
  const warnings: string[] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    const outcome = resolve(definition, flags.texts.get(definition.flag), env[definition.env]);
    values[name] = outcome.value;
    problems.push(...outcome.problems);
    warnings.push(...outcome.warnings);
  }
  if (problems.length > 0) throw new CodedError('invalid-setting', problems.join('; '));
  return { settings: values as Settings<Definitions>, warnings };
}

interface Outcome {
  readonly value: unknown;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

function resolve(
  definition: SettingDefinition,
  flag: string | undefined,
  variable: string | undefined,
): Outcome {
  if (flag !== undefined) return fromFlag(definition, flag);
  if (variable !== undefined) return fromVariable(definition, variable);
  return checked(definition, definition.default);
}

/** An invalid flag stops the start, unlike an invalid variable, which falls back to the default. */
function fromFlag(definition: SettingDefinition, text: string): Outcome {
  const reading = definition.read(text, 'flag');
  if ('value' in reading) return checked(definition, reading.value, reading.warnings);
  const problem = 'refused' in reading ? reading.refused : `--${definition.flag}: ${reading.unreadable}`;
  return { value: definition.default, problems: [problem], warnings: [] };
}

/**
 * An empty variable counts as unset, except for text settings: charts write empty ones for values left out.
 */
function fromVariable(definition: SettingDefinition, text: string): Outcome {
  const reading = definition.read(text, 'environment');
  if ('value' in reading) return checked(definition, reading.value, reading.warnings);
  if ('refused' in reading) return { value: definition.default, problems: [reading.refused], warnings: [] };
  const fallback = checked(definition, definition.default);
  if (text === '') return fallback;
  const warning = `${definition.env}: ${reading.unreadable}; ${definition.defaultText} is used instead`;
  return { ...fallback, warnings: [warning] };
}

/** Checks given values and defaults alike. */
function checked(definition: SettingDefinition, value: unknown, warnings: readonly string[] = []): Outcome {
  const problem = definition.check?.(value);
  return { value, problems: problem === undefined ? [] : [problem], warnings };
}
