import { describe, expect, it } from 'vitest';
import type { AccessRequest } from './access-request.ts';
import { type IdentityStatement, isAllowed } from './identity-policies.ts';

const request: AccessRequest = {
  action: 'ec2:TerminateInstances',
  resource: 'arn:aws:ec2:us-west-2:42:instance/i-1',
  context: { 'aws:ResourceTag/owner': ['karpenter'], 'aws:TagKeys': ['Name', 'team'] },
};

const allow: IdentityStatement = { Effect: 'Allow', Action: 'ec2:*', Resource: '*' };

function allowed(...statements: readonly IdentityStatement[]): boolean {
  return isAllowed([{ Statement: statements }], request);
}

describe('identity policies', () => {
  it('allow nothing that no statement allows', () => {
    expect(allowed()).toBe(false);
    expect(allowed({ ...allow, Action: ['ec2:RunInstances', 'iam:*'] })).toBe(false);
    expect(allowed({ ...allow, Resource: 'arn:aws:ec2:eu-west-1:42:instance/*' })).toBe(false);
  });

  it('compare actions without case and resources with case', () => {
    expect(allowed({ ...allow, Action: 'EC2:terminateinstances' })).toBe(true);
    expect(allowed({ ...allow, Resource: 'arn:aws:ec2:us-west-2:*:INSTANCE/*' })).toBe(false);
  });

  it('deny whatever else allows it', () => {
    expect(allowed(allow, { ...allow, Effect: 'Deny' })).toBe(false);
  });

  it.each([
    ['StringEquals', 'aws:ResourceTag/owner', 'karpenter', true],
    ['StringEquals', 'aws:ResourceTag/owner', 'kar*', false],
    ['StringLike', 'aws:ResourceTag/owner', 'kar*', true],
    ['StringEquals', 'aws:ResourceTag/other', 'karpenter', false],
    ['StringEqualsIfExists', 'aws:ResourceTag/other', 'karpenter', true],
    ['StringEqualsIfExists', 'aws:ResourceTag/owner', 'somebody', false],
    ['ForAllValues:StringEquals', 'aws:TagKeys', ['Name', 'team', 'other'], true],
    ['ForAllValues:StringEquals', 'aws:TagKeys', ['Name'], false],
    ['ForAllValues:StringEquals', 'aws:Missing', ['Name'], true],
  ])('under the condition %s %s = %s answer %s', (operator, key, values, expected) => {
    expect(allowed({ ...allow, Condition: { [operator]: { [key]: values } } })).toBe(expected);
  });

  it('need every condition of a statement', () => {
    const owner = { 'aws:ResourceTag/owner': 'karpenter' };
    const Condition = { StringEquals: { ...owner, 'aws:ResourceTag/team': 'a' } };
    expect(allowed({ ...allow, Condition })).toBe(false);
  });

  it('with an operator that the account does not know are refused rather than misread', () => {
    const Condition = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } };
    expect(() => allowed({ ...allow, Condition })).toThrow(/IpAddress/);
  });
});
