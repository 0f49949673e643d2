import { describe, expect, it } from 'vitest';
import { customResources } from '../../custom-resources.ts';
import type { PreflightContext } from '../preflight-check.ts';
import { checkDefinitions } from './definition-check.ts';

const checked = (conversion: object) => {
  const value = customResources.map(({ definition: { metadata, spec } }) => ({
    metadata,
    spec: { ...spec, ...conversion },
    status: {
      storedVersions: metadata.name.startsWith('nodepools') ? ['v1beta1', 'v1'] : [spec.versions[0]?.name],
    },
  }));
  return checkDefinitions({ cluster: { definitions: { value } } } as unknown as PreflightContext);
};

describe('objects that are stored as v1beta1', () => {
  it('fail the check of definitions that do not convert', async () => {
    expect(await checked({})).toMatchObject([
      { verdict: 'failed', message: expect.stringContaining('which this version does not read') },
    ]);
  });

  it('are a warning where a conversion webhook reads them', async () => {
    expect(await checked({ conversion: { strategy: 'Webhook' } })).toMatchObject([
      { verdict: 'warning', message: expect.stringContaining('which only its conversion webhook reads') },
    ]);
  });
});
