import assert from 'node:assert/strict';
import { present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const none = 'no-such-template';

export const templateCases = area('launch templates', {
  'a new template has an id and one version': async (account) => {
    const LaunchTemplateName = account.name('template');
    const { LaunchTemplate } = await account.aws.ec2.createLaunchTemplate({
      LaunchTemplateName,
      LaunchTemplateData: { ImageId: await account.imageId() },
    });
    assert.match(LaunchTemplate?.LaunchTemplateId ?? '', /^lt-/);
    assert.equal(LaunchTemplate?.LatestVersionNumber, 1);
  },
  'a template may be named with a path': async (account) => {
    const LaunchTemplateName = `karpenter.k8s.aws/${account.name('1234')}`;
    await account.aws.ec2.createLaunchTemplate({
      LaunchTemplateName,
      LaunchTemplateData: { ImageId: await account.imageId() },
    });
    const found = await account.aws.ec2.describeLaunchTemplates({
      LaunchTemplateNames: [LaunchTemplateName],
    });
    assert.equal(found.LaunchTemplates?.length, 1);
  },
  'a name that is taken is rejected': async (account) => {
    const LaunchTemplateName = await account.template();
    const again = account.aws.ec2.createLaunchTemplate({
      LaunchTemplateName,
      LaunchTemplateData: { ImageId: await account.imageId() },
    });
    await refused(again, 'InvalidLaunchTemplateName.AlreadyExistsException');
  },
  'an unknown name is rejected with its own error code': async ({ aws }) => {
    await refused(
      aws.ec2.describeLaunchTemplates({ LaunchTemplateNames: [none] }),
      'InvalidLaunchTemplateName.NotFoundException',
    );
  },
  'an unknown id is rejected with another error code': async ({ aws }) => {
    const LaunchTemplateIds = ['lt-00000000000000000'];
    await refused(
      aws.ec2.describeLaunchTemplates({ LaunchTemplateIds }),
      /^InvalidLaunchTemplateId\.NotFound/,
    );
  },
  'user data of more than 16 KiB is rejected': async (account) => {
    const UserData = Buffer.alloc(16_385, 'x').toString('base64');
    const call = account.aws.ec2.createLaunchTemplate({
      LaunchTemplateName: account.name('template'),
      LaunchTemplateData: { UserData },
    });
    const error = await refused(call, 'InvalidUserData.Malformed');
    assert.match(error.message, /User data is limited to 16384 bytes/);
  },
  'user data of exactly 16 KiB is accepted': async (account) => {
    await account.template({ UserData: Buffer.alloc(16_384, 'x').toString('base64') });
  },
  'templates are found by their tags': async (account) => {
    const LaunchTemplateName = account.name('template');
    const Value = account.name('cluster');
    await account.aws.ec2.createLaunchTemplate({
      LaunchTemplateName,
      LaunchTemplateData: { ImageId: await account.imageId() },
      TagSpecifications: [
        { ResourceType: 'launch-template', Tags: [{ Key: 'eks:eks-cluster-name', Value }] },
      ],
    });
    const found = await account.aws.ec2.describeLaunchTemplates({
      Filters: [{ Name: 'tag:eks:eks-cluster-name', Values: [Value] }],
    });
    assert.deepEqual(
      found.LaunchTemplates?.map((each) => each.LaunchTemplateName),
      [LaunchTemplateName],
    );
  },
  'a deleted template is gone': async (account) => {
    const LaunchTemplateName = await account.template();
    await account.aws.ec2.deleteLaunchTemplate({ LaunchTemplateName });
    await refused(
      account.aws.ec2.describeLaunchTemplates({ LaunchTemplateNames: [LaunchTemplateName] }),
      'InvalidLaunchTemplateName.NotFoundException',
    );
  },
  'a missing template cannot be deleted': async ({ aws }) => {
    await refused(
      aws.ec2.deleteLaunchTemplate({ LaunchTemplateName: none }),
      'InvalidLaunchTemplateName.NotFoundException',
    );
  },
  'a template with a missing image is accepted': async (account) => {
    const name = await account.template({ ImageId: 'ami-00000000000000000' });
    assert.ok(present(name, 'the name'));
  },
  'a repeated request with the same client token creates no second template': async (account) => {
    const input = {
      ClientToken: account.name('token'),
      LaunchTemplateName: account.name('template'),
      LaunchTemplateData: { ImageId: await account.imageId() },
    };
    const first = await account.aws.ec2.createLaunchTemplate(input);
    const second = await account.aws.ec2.createLaunchTemplate(input);
    assert.equal(second.LaunchTemplate?.LaunchTemplateId, first.LaunchTemplate?.LaunchTemplateId);
  },
});
