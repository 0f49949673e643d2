import { AwsRefusal } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { isLaunchTemplateNotFound, isNotFound, isUnfulfillable } from './error-sets.ts';
import { errorText, failureReasonOf } from './error-text.ts';
import { failureReason, reasonRules } from './reason-table.ts';

describe('the reason of an error', () => {
  it.each([
    ['AuthFailure.ServiceLinkedRoleCreationNotPermitted: x', 'SpotSLRCreationFailed'],
    ['UnauthorizedOperation: with an explicit deny in a permissions boundary', 'Unauthorized'],
    ['AccessDenied: Not authorized for images: [ami-1]', 'AMIAuthorizationFailure'],
    ['AuthFailure: x', 'Unauthorized'],
    ['InvalidParameter: x belong to different networks', 'SecurityGroupSubnetVPCMismatch'],
    ['InvalidParameter: x', 'LaunchFailed'],
    ['VcpuLimitExceeded: x', 'VCPULimitExceeded'],
    ['InsufficientInstanceCapacity: x', 'LaunchFailed'],
  ])('%s: %s', (text, reason) => {
    expect(failureReason(text).reason).toBe(reason);
  });

  it('distinguishes denials by the policy that denies', () => {
    const by = (where: string) =>
      failureReason(`UnauthorizedOperation: with an explicit deny in a ${where}`).message;
    expect(by('permissions boundary')).toBe(
      'User is not authorized to perform this operation due to a permission boundary',
    );
    expect(by('service control policy')).toBe(
      'User is not authorized to perform this operation due to a service control policy',
    );
    expect(by('policy')).toBe(
      'User is not authorized to perform this operation because no identity-based policy allows it',
    );
  });

  it('reaches every rule: none is shadowed by an earlier one', () => {
    for (const rule of reasonRules) {
      expect(failureReason(`${rule.anyOf[0]}: ${rule.and ?? ''}`).message).toBe(rule.message);
    }
  });

  it('matches on the error code, which is part of the text', () => {
    const error = new AwsRefusal('RequestLimitExceeded', 'slow down');
    expect(errorText(error)).toBe('RequestLimitExceeded: slow down');
    expect(failureReasonOf(error).reason).toBe('RequestLimitExceeded');
    expect(errorText(new Error('x'))).toBe('x');
  });
});

describe('error sets', () => {
  it('recognize missing resources, and launch templates by name only', () => {
    expect(isNotFound(new AwsRefusal('InvalidInstanceID.NotFound'))).toBe(true);
    expect(isNotFound(new Error('InvalidInstanceID.NotFound'))).toBe(false);
    expect(isLaunchTemplateNotFound(new AwsRefusal('InvalidLaunchTemplateName.NotFoundException'))).toBe(
      true,
    );
    expect(isLaunchTemplateNotFound(new AwsRefusal('InvalidLaunchTemplateId.NotFound'))).toBe(false);
    expect([isUnfulfillable('Unsupported'), isUnfulfillable('RequestLimitExceeded')]).toEqual([true, false]);
  });
});
