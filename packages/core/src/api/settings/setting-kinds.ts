import { type DurationMs, nsToDurationMs, readDuration } from '../../values/index.ts';
import { readBoolean, readDecimalInteger, readInteger, readNumber } from './go-values.ts';
import {
  defineSetting,
  environmentName,
  type SettingDefinition,
  type SettingKind,
  type SettingOptions,
  type SettingSource,
} from './setting.ts';

export function textSetting(flag: string, options: SettingOptions<string>): SettingDefinition<string> {
  return defineSetting('text', flag, { accepts: 'any text', ...options }, (value) => ({ value }));
}

export function integerSetting(
  flag: string,
  options: SettingOptions<number> & { readonly adjust?: (value: number) => number },
): SettingDefinition<number> {
  const adjust = options.adjust ?? ((value: number) => value);
  return defineReadable('integer', flag, { accepts: 'a whole number', ...options }, (text, source) => {
    const value = source === 'flag' ? readInteger(text) : readDecimalInteger(text);
    return value === undefined ? undefined : adjust(value);
  });
}

export function numberSetting(flag: string, options: SettingOptions<number>): SettingDefinition<number> {
  return defineReadable('number', flag, { accepts: 'a number', ...options }, readNumber);
}

export function durationSetting(
  flag: string,
  options: Omit<SettingOptions<DurationMs>, 'default'> & { readonly default: string },
): SettingDefinition<DurationMs> {
  const read = (text: string): DurationMs | undefined => {
    const ns = readDuration(text);
    return ns === undefined ? undefined : nsToDurationMs(ns);
  };
  const typed = { ...options, default: read(options.default) ?? nsToDurationMs(0n) };
  const accepts = 'a duration, such as 10s or 1m30s';
  return { ...defineReadable('duration', flag, { accepts, ...typed }, read), defaultText: options.default };
}

/** Flags accept only `true` and `false`, so that `--flag=0` cannot be mistaken for a number. */
export function booleanSetting(flag: string, options: SettingOptions<boolean>): SettingDefinition<boolean> {
  return defineSetting('boolean', flag, { accepts: 'true or false', ...options }, (text, source) => {
    const isWord = text === 'true' || text === 'false';
    const value = isWord || source === 'environment' ? readBoolean(text) : undefined;
    if (value !== undefined) return { value };
    return { unreadable: `${JSON.stringify(text)} is not a valid value, must be true or false` };
  });
}

/** An empty value means the default; any other must be one of the choices. */
export function choiceSetting<const Choice extends string>(
  flag: string,
  options: {
    readonly choices: readonly Choice[];
    readonly default: NoInfer<Choice>;
    readonly description: string;
  },
): SettingDefinition<Choice> {
  const accepts = options.choices.join(', ').replace(/, ([^,]*)$/, ' or $1');
  const refused = `validating cli flags / env vars, invalid ${environmentName(flag)}`;
  const definition = defineSetting<Choice>('choice', flag, { ...options, accepts }, (text) => {
    const value = text === '' ? options.default : options.choices.find((choice) => choice === text);
    return value === undefined ? { refused: `${refused} ${JSON.stringify(text)}` } : { value };
  });
  return { ...definition, choices: options.choices };
}

/** A setting whose text is either valid for its kind or not. */
function defineReadable<Value>(
  kind: SettingKind,
  flag: string,
  options: SettingOptions<Value> & { readonly accepts: string },
  read: (text: string, source: SettingSource) => Value | undefined,
): SettingDefinition<Value> {
  return defineSetting(kind, flag, options, (text, source) => {
    const value = read(text, source);
    return value === undefined
      ? { unreadable: `${JSON.stringify(text)} is not ${options.accepts}` }
      : { value };
  });
}
