import type { SettingDefinition } from '@karpenter/core/api';

/** A setting whose environment variable is not named after its flag. */
export function withVariable<Value>(
  env: string,
  setting: SettingDefinition<Value>,
): SettingDefinition<Value> {
  return { ...setting, env };
}

export function atLeast(flag: string, least: number): (value: number) => string | undefined {
  return (value) => (value >= least ? undefined : `${flag}: ${value} is less than ${least}`);
}

export function portCheck(flag: string): (value: number) => string | undefined {
  return (value) => (value >= 0 && value <= 65_535 ? undefined : `${flag}: ${value} is not a port`);
}

export function oneOf(flag: string, choices: readonly string[]): (value: string) => string | undefined {
  const isChoice = (value: string) => choices.includes(value);
  return (value) =>
    isChoice(value) ? undefined : `${flag}: ${JSON.stringify(value)} is not one of ${choices.join(', ')}`;
}
