import { describe, expect, it } from 'vitest';
import { daysWork, templatePolicies, withoutStatement } from './days-work.ts';

const policies = templatePolicies();
const statements = policies.flatMap(({ Statement }) => Statement);

/**
 * Karpenter's policies have it for instance profiles that older versions made without tags; this controller tags every
 * profile when it creates it.
 */
const unused = 'AllowScopedInstanceProfileTagActions';

describe('the policies of the controller', () => {
  it('allow everything that the controller does', async () => {
    const { denials, launched, terminated } = await daysWork(policies);
    expect([...denials]).toEqual([]);
    expect([launched, terminated]).toEqual([2, 2]);
  });

  it.each(statements.map(({ Sid = '' }) => Sid).filter((sid) => sid !== unused))(
    'deny something without the statement %s',
    async (sid) => {
      const actions = [statements.find(({ Sid }) => Sid === sid)?.Action ?? []].flat();
      const { denials } = await daysWork(withoutStatement(policies, sid));
      expect([...denials.keys()].filter((action) => actions.includes(action))).not.toEqual([]);
    },
  );

  it('has one statement that nothing needs', async () => {
    const { denials } = await daysWork(withoutStatement(policies, unused));
    expect([...denials]).toEqual([]);
  });
});
