import { describe, expect, it } from 'vitest';
import { coreSettings } from './core-settings.ts';
import { renderSettingsHelp, renderSettingsTable } from './render-settings.ts';

const few = {
  logLevel: coreSettings.logLevel,
  enableProfiling: coreSettings.enableProfiling,
  karpenterService: coreSettings.karpenterService,
};

describe('rendering settings', () => {
  it('gives two lines of help for each', () => {
    expect(renderSettingsHelp(few)).toBe(
      [
        '  --log-level=CHOICE  (LOG_LEVEL)',
        '      The least serious log lines to write: debug, info or error; default info',
        '  --enable-profiling[=true|false]  (ENABLE_PROFILING)',
        '      Serves profiles on the metrics port: true or false; default false',
        '  --karpenter-service=TEXT  (KARPENTER_SERVICE)',
        '      Name of the Service in front of the controller: any text',
      ].join('\n'),
    );
  });

  it('gives a row of a Markdown table for each', () => {
    expect(renderSettingsTable(few).split('\n')).toEqual([
      '| Flag | Environment | Accepts | Default | Meaning |',
      '| --- | --- | --- | --- | --- |',
      '| `--log-level` | `LOG_LEVEL` | debug, info or error | `info` | The least serious log lines to write |',
      '| `--enable-profiling` | `ENABLE_PROFILING` | true or false | `false` | Serves profiles on the metrics port |',
      '| `--karpenter-service` | `KARPENTER_SERVICE` | any text |  | Name of the Service in front of the controller |',
    ]);
  });

  it('has a one-line description and unique names for every setting of core', () => {
    const settings = Object.values(coreSettings);
    for (const { description } of settings) expect(description).toMatch(/^[A-Z][^\n]*[^.]$/);
    expect(new Set(settings.map(({ flag }) => flag)).size).toBe(settings.length);
    expect(new Set(settings.map(({ env }) => env)).size).toBe(settings.length);
  });
});
