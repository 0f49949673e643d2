import { readFileSync } from 'node:fs';
import { migrationPolicy, policyScope } from '@karpenter/aws/iam-policies';
import { expect, it } from 'vitest';

const page = new URL('../../../docs/migrating.md', import.meta.url);

it('the guide prints the policy that karpenter migrate needs', () => {
  const [, printed = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
  const scope = policyScope({
    partition: 'aws',
    region: 'us-west-2',
    accountId: '123456789012',
    clusterName: 'prod',
  });
  expect(JSON.parse(printed)).toEqual(migrationPolicy(scope));
});
