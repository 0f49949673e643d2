import { describe, expect, it } from 'vitest';
import { withDefaults } from './other-defaults.ts';
import { parseSettings } from './parse-settings.ts';
import { renderSettingsHelp } from './render-settings.ts';
import { integerSetting, textSetting } from './setting-kinds.ts';

const settings = {
  metricsPort: integerSetting('metrics-port', { default: 8080, description: 'Port of metrics' }),
  clusterName: textSetting('cluster-name', { default: '', description: 'Name of the cluster' }),
};
const others = withDefaults(settings, { metricsPort: '0' });

describe('settings with other defaults', () => {
  it('use them where neither flag nor variable is given, and leave the others alone', () => {
    expect(parseSettings(others, [], {}).settings).toEqual({ metricsPort: 0, clusterName: '' });
  });

  it('give way to a variable, and the variable to a flag', () => {
    const env = { METRICS_PORT: '9000' };
    expect(parseSettings(others, [], env).settings.metricsPort).toBe(9000);
    expect(parseSettings(others, ['--metrics-port=9001'], env).settings.metricsPort).toBe(9001);
  });

  it('replace a variable that cannot be read, and say so', () => {
    expect(parseSettings(others, [], { METRICS_PORT: 'x' })).toEqual({
      settings: { metricsPort: 0, clusterName: '' },
      warnings: ['METRICS_PORT: "x" is not a whole number; 0 is used instead'],
    });
  });

  it('are those that the help shows', () => {
    expect(renderSettingsHelp(others)).toContain('a whole number; default 0');
  });
});
