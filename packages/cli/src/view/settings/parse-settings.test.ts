import { describe, expect, it } from 'vitest';
import { parseConfig } from './config-file.ts';
import { withDoubleDashes } from './go-flags.ts';
import { parseViewSettings } from './parse-settings.ts';

const none = new Map<string, string>();
const settingsOf = (flags: Readonly<Record<string, string>>, file = '', env = {}) =>
  parseViewSettings(new Map(Object.entries(flags)), parseConfig(file), env);

describe('the settings of view', () => {
  it('have the defaults of eks-node-viewer', () => {
    expect(parseViewSettings(none, none, {})).toMatchObject({
      isPricing: true,
      extraLabels: [],
      nodeSelector: '',
      sort: { key: 'creation', isAscending: false },
      resources: ['cpu'],
      palette: { good: [4, 181, 117], ok: [255, 255, 0], bad: [255, 0, 0] },
    });
  });

  it('come from flags, then KUBECONFIG, then the file', () => {
    const file =
      '# comment\n kubeconfig = /file \nresources=memory\nunknown=1\nnode-sort=creation=asc\nnot a line\n';
    expect(settingsOf({}, file)).toMatchObject({
      kubeconfig: '/file',
      resources: ['memory'],
      sort: { key: 'creation', isAscending: true },
    });
    expect(settingsOf({}, file, { KUBECONFIG: '/env' }).kubeconfig).toBe('/env');
    expect(
      settingsOf({ kubeconfig: '/flag', resources: 'cpu,pods' }, file, { KUBECONFIG: '/env' }),
    ).toMatchObject({
      kubeconfig: '/flag',
      resources: ['cpu', 'pods'],
    });
  });

  it('may turn prices off in the file and on again by a flag', () => {
    expect(settingsOf({}, 'disable-pricing=true').isPricing).toBe(false);
    expect(settingsOf({ 'disable-pricing': 'false' }, 'disable-pricing=true').isPricing).toBe(true);
  });

  it.each([
    [{ style: '#000,#fff' }, '--style "#000,#fff" is not three colours'],
    [{ style: '#000,#fff,red' }, 'not three colours'],
    [{ 'node-sort': 'creation=desc' }, '--node-sort "creation=desc" is not an order'],
    [{ resources: ' , ' }, '--resources " , " is empty'],
    [{ columns: 'name,capcity' }, '--columns "capcity" is not a column; did you mean capacity?'],
    [{ 'group-by': 'nodepol' }, 'did you mean nodepool?'],
    [{ 'node-selector': 'a=b=c' }, '--node-selector: "a=b=c" is not a label selector'],
    [{ 'disable-pricing': 'maybe' }, '--disable-pricing "maybe" is neither true nor false'],
  ])('reject %j in one sentence', (flags, message) => {
    expect(() => settingsOf(flags as unknown as Readonly<Record<string, string>>)).toThrow(message);
  });
});

describe('flags of Go', () => {
  it('may have one dash', () => {
    const args = [
      'view',
      '-extra-labels',
      'a',
      '-node-sort=creation=asc',
      '-o',
      'json',
      '-ojson',
      '--style',
      'x',
    ];
    expect(withDoubleDashes(args, new Set(['extra-labels', 'node-sort', 'style']))).toEqual([
      ...['view', '--extra-labels', 'a', '--node-sort=creation=asc', '-o', 'json', '-ojson', '--style', 'x'],
    ]);
  });
});
