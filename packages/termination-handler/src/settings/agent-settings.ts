import { parseSettings, type SettingDefinition, type Settings } from '@karpenter/core/api';
import { ignoredSettings, refusedSettings } from './ignored-settings.ts';
import { monitorSettings } from './monitor-settings.ts';
import { nodeSettings } from './node-settings.ts';
import { processSettings } from './process-settings.ts';

/** Every setting, by the flags, variables and defaults of aws-node-termination-handler. */
export const agentSettings = {
  ...nodeSettings,
  ...monitorSettings,
  ...processSettings,
  ...ignoredSettings,
  ...refusedSettings,
};

export type AgentSettings = Settings<typeof agentSettings>;

export interface AgentSettingsReading {
  readonly settings: AgentSettings;
  /** Sentences about settings that have no effect. */
  readonly notices: readonly string[];
}

/**
 * Reads flags and variables. Throws `invalid-setting` with all problems. A variable that cannot be read stops the start
 * like a flag does: an agent that falls back to a default would drain when it was not meant to.
 */
export function readAgentSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AgentSettingsReading {
  const { settings } = parseSettings(strictly(agentSettings), args, env);
  const isDeprecated = settings.gracePeriod >= 0;
  return {
    settings: isDeprecated ? { ...settings, podTerminationGracePeriod: settings.gracePeriod } : settings,
    notices: [
      ...(isDeprecated ? ['grace-period is deprecated; use pod-termination-grace-period'] : []),
      ...Object.entries(ignoredSettings)
        .filter(([name, definition]) => valueIn(settings, name) !== definition.default)
        .map(([, { flag }]) => `${flag} has no effect: this agent reads the metadata service and no queue`),
    ],
  };
}

function valueIn(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  return settings[name];
}

function strictly<Definitions extends Readonly<Record<string, SettingDefinition>>>(
  definitions: Definitions,
): Definitions {
  const all = Object.entries(definitions).map(([name, each]) => [name, strict(each)]);
  return Object.fromEntries(all) as Definitions;
}

function strict(definition: SettingDefinition): SettingDefinition {
  return {
    ...definition,
    read(text, source) {
      const reading = definition.read(text, source);
      const isWrong = source === 'environment' && text !== '' && 'unreadable' in reading;
      return isWrong ? { refused: `${definition.env}: ${reading.unreadable}` } : reading;
    },
  };
}
