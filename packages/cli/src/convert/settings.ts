import { type MovedSetting, movedSettings } from '@karpenter/aws/conversion';
import { subjectOf } from '@karpenter/core/conversion';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConversionMessage } from './message.ts';

/** The lines that take the place of the ConfigMap with the global settings. */
export function settingsNote(settings: readonly MovedSetting[]): readonly string[] {
  const variables = settings.flatMap(({ variable, value }) =>
    variable === undefined ? [] : [`  ${variable}=${oneLine(value)}`],
  );
  return [
    'ConfigMap karpenter-global-settings is not read any more. Environment variables of the controller replace it:',
    ...variables,
    ...settings.flatMap(({ variable, key, value, advice }) =>
      variable === undefined ? [`  ${key}: ${oneLine(value)} (${advice})`] : [],
    ),
  ];
}

/** One message with all variables, and one for each key that has none. */
export function settingsMessages(
  configMap: JsonObject,
  place: Pick<ConversionMessage, 'file' | 'line'>,
): readonly ConversionMessage[] {
  const settings = movedSettings(configMap);
  const variables = settings.flatMap(({ variable, value }) =>
    variable === undefined ? [] : [`${variable}=${oneLine(value)}`],
  );
  const message = (sentence: string): ConversionMessage => ({
    ...place,
    severity: 'review',
    code: 'settings-moved',
    object: subjectOf(configMap),
    sentence,
  });
  return [
    message(
      `the settings are environment variables of the controller now; set ${variables.join(' ') || 'none'}`,
    ),
    ...settings.flatMap(({ key, advice }) =>
      advice === undefined ? [] : [message(`${key} has no environment variable: ${advice}`)],
    ),
  ];
}

function oneLine(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}
