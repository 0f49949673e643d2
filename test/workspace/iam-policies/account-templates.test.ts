import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../architecture/workspace.ts';
import { type ExpectedStatement, expectedStatements } from './expected-statements.ts';

/** Where IAM refuses a managed policy; it counts no white space. */
const maxPolicyLength = 6_144;

const template = parse(
  filled('deploy/cloudformation/karpenter.yaml', {
    '${AWS::Partition}': 'aws',
    '${AWS::Region}': 'r1',
    '${AWS::AccountId}': '42',
    '${AWS::URLSuffix}': 'amazonaws.com',
    '${ClusterName}': 'c1',
    '${OIDCIssuer}': 'oidc.example/id/1',
    '${Namespace}': 'kube-system',
    '${ServiceAccountName}': 'karpenter',
    '${KarpenterInterruptionQueue.Arn}': 'arn:aws:sqs:r1:42:c1',
  }),
);
const { Resources: resources } = template;
const terraform = ['versions', 'variables', 'roles', 'policies', 'interruption', 'outputs'].map((name) =>
  JSON.parse(
    filled(`deploy/terraform/${name}.tf.json`, {
      '${data.aws_partition.current.partition}': 'aws',
      '${data.aws_region.current.region}': 'r1',
      '${data.aws_caller_identity.current.account_id}': '42',
      '${data.aws_partition.current.dns_suffix}': 'amazonaws.com',
      '${var.cluster_name}': 'c1',
      '${var.oidc_issuer}': 'oidc.example/id/1',
      '${var.namespace}': 'kube-system',
      '${var.service_account}': 'karpenter',
      '${aws_sqs_queue.interruption.arn}': 'arn:aws:sqs:r1:42:c1',
    }),
  ),
);
const [, variables, roles, policies, interruption, outputs] = terraform;

function filled(path: string, values: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [expression, value] of Object.entries(values)) text = text.replaceAll(expression, value);
  return text;
}

/** A statement as IAM or as Terraform spells it. */
interface Spelled {
  readonly Effect?: string;
  readonly effect?: string;
  readonly Sid?: string;
  readonly Action?: string | string[];
  readonly Resource?: string | string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
  readonly sid?: string;
  readonly actions?: string[];
  readonly resources?: string[];
  readonly condition?: readonly { test: string; variable: string; values: string[] }[];
}

function short(statements: readonly Spelled[]): Readonly<Record<string, ExpectedStatement>> {
  expect(statements.map(({ Effect, effect }) => Effect ?? effect)).toEqual(statements.map(() => 'Allow'));
  return Object.fromEntries(
    statements.map((statement) => [
      statement.Sid ?? statement.sid,
      {
        actions: [statement.Action ?? statement.actions ?? []].flat(),
        resources: [statement.Resource ?? statement.resources ?? []].flat(),
        conditions: conditionsOf(statement),
      },
    ]),
  );
}

function conditionsOf({ Condition = {}, condition = [] }: Spelled): readonly string[] {
  const ofIam = Object.entries(Condition).flatMap(([test, keys]) =>
    Object.entries(keys).map(([variable, values]) => ({ test, variable, values: [values].flat() })),
  );
  return [...ofIam, ...condition].map(
    ({ test, variable, values }) => `${test} ${variable} = ${values.join(', ')}`,
  );
}

/** Order means nothing in a policy. */
function sorted(policy: Readonly<Record<string, ExpectedStatement>> | undefined): unknown {
  return Object.fromEntries(
    Object.entries(policy ?? {}).map(([sid, { actions, resources: arns, conditions }]) => [
      sid,
      { actions: [...actions].sort(), resources: [...arns].sort(), conditions: [...conditions].sort() },
    ]),
  );
}

const topics = Object.keys(expectedStatements);

describe.each(topics)('the policy %s', (topic) => {
  it('of the CloudFormation template has the statements of Karpenter', () => {
    const { Type, Properties } = resources[`KarpenterController${topic}Policy`];
    expect(Type).toBe('AWS::IAM::ManagedPolicy');
    expect(Properties.ManagedPolicyName['Fn::Sub']).toBe(`KarpenterController${topic}Policy-c1`);
    const { Statement } = JSON.parse(Properties.PolicyDocument['Fn::Sub']);
    expect(sorted(short(Statement))).toEqual(sorted(expectedStatements[topic]));
  });

  it('of the Terraform module has the same statements', () => {
    const name = Object.keys(policies.resource.aws_iam_policy).find(
      (key) => policies.resource.aws_iam_policy[key].name === `KarpenterController${topic}Policy-c1`,
    );
    const { statement } = policies.data.aws_iam_policy_document[name ?? ''];
    expect(sorted(short(statement))).toEqual(sorted(expectedStatements[topic]));
    expect(policies.resource.aws_iam_role_policy_attachment[name ?? ''].policy_arn).toBe(
      `\${aws_iam_policy.${name}.arn}`,
    );
  });

  it('is short enough for IAM, with a cluster name of 100 characters', () => {
    const text = resources[`KarpenterController${topic}Policy`].Properties.PolicyDocument['Fn::Sub'];
    const longest = text.replaceAll('c1', 'c'.repeat(100)).replaceAll('r1', 'ap-northeast-2');
    expect(longest.replace(/\s/g, '').length).toBeLessThan(maxPolicyLength);
  });
});

describe('the account templates', () => {
  it('have no policy besides these', () => {
    const managed = Object.values<{ Type: string }>(resources).filter(
      ({ Type }) => Type === 'AWS::IAM::ManagedPolicy',
    );
    expect(managed).toHaveLength(topics.length);
    expect(Object.keys(policies.resource.aws_iam_policy)).toHaveLength(topics.length);
  });

  it('let EC2 take the node role, with the four managed policies of a node', () => {
    const { AssumeRolePolicyDocument, ManagedPolicyArns } = resources.KarpenterNodeRole.Properties;
    const trust = JSON.parse(AssumeRolePolicyDocument['Fn::Sub']);
    expect(trust.Statement).toEqual([
      { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
    ]);
    const names = ManagedPolicyArns.map((arn: { 'Fn::Sub': string }) => arn['Fn::Sub'].split('/').at(-1));
    expect(names).toEqual([
      'AmazonEKS_CNI_Policy',
      'AmazonEKSWorkerNodePolicy',
      'AmazonEC2ContainerRegistryPullOnly',
      'AmazonSSMManagedInstanceCore',
    ]);
    const attached = roles.resource.aws_iam_role_policy_attachment.node.for_each;
    for (const name of names) expect(attached).toContain(`"${name}"`);
  });

  it('let one service account take the role of the controller, by Pod Identity or by its token', () => {
    const [, podIdentity, irsa] =
      resources.KarpenterControllerRole.Properties.AssumeRolePolicyDocument['Fn::If'];
    expect(JSON.parse(podIdentity['Fn::Sub']).Statement[0]).toEqual({
      Effect: 'Allow',
      Principal: { Service: 'pods.eks.amazonaws.com' },
      Action: ['sts:AssumeRole', 'sts:TagSession'],
    });
    expect(JSON.parse(irsa['Fn::Sub']).Statement[0]).toEqual({
      Effect: 'Allow',
      Principal: { Federated: 'arn:aws:iam::42:oidc-provider/oidc.example/id/1' },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'oidc.example/id/1:aud': 'sts.amazonaws.com',
          'oidc.example/id/1:sub': 'system:serviceaccount:kube-system:karpenter',
        },
      },
    });
    expect(resources.KarpenterControllerRole.Properties.ManagedPolicyArns).toEqual(
      topics.map((topic) => ({ Ref: `KarpenterController${topic}Policy` })),
    );
    expect(resources.KarpenterPodIdentityAssociation).toMatchObject({
      Condition: 'HasPodIdentity',
      Properties: {
        ClusterName: { Ref: 'ClusterName' },
        Namespace: { Ref: 'Namespace' },
        ServiceAccount: { Ref: 'ServiceAccountName' },
        RoleArn: { 'Fn::GetAtt': ['KarpenterControllerRole', 'Arn'] },
      },
    });
  });

  it('trust the same in Terraform', () => {
    const {
      node_trust: node,
      pod_identity_trust: pod,
      irsa_trust: irsa,
    } = roles.data.aws_iam_policy_document;
    expect(node.statement).toEqual([
      {
        effect: 'Allow',
        principals: [{ type: 'Service', identifiers: ['ec2.amazonaws.com'] }],
        actions: ['sts:AssumeRole'],
      },
    ]);
    expect(pod.statement).toEqual([
      {
        effect: 'Allow',
        principals: [{ type: 'Service', identifiers: ['pods.eks.amazonaws.com'] }],
        actions: ['sts:AssumeRole', 'sts:TagSession'],
      },
    ]);
    expect(irsa.statement).toMatchObject([
      {
        effect: 'Allow',
        principals: [{ type: 'Federated', identifiers: ['arn:aws:iam::42:oidc-provider/oidc.example/id/1'] }],
        actions: ['sts:AssumeRoleWithWebIdentity'],
      },
    ]);
    expect(conditionsOf(irsa.statement[0])).toEqual([
      'StringEquals oidc.example/id/1:aud = sts.amazonaws.com',
      'StringEquals oidc.example/id/1:sub = system:serviceaccount:kube-system:karpenter',
    ]);
    expect(roles.resource.aws_eks_pod_identity_association.controller).toMatchObject({
      cluster_name: 'c1',
      namespace: 'kube-system',
      service_account: 'karpenter',
      role_arn: '${aws_iam_role.controller.arn}',
    });
  });

  it('refuse IRSA without an issuer, and an issuer with a scheme', () => {
    const { AllowedPattern, Default } = template.Parameters.OIDCIssuer;
    const accepts = (issuer: string) => new RegExp(AllowedPattern).test(issuer);
    expect([Default, 'oidc.eks.r1.amazonaws.com/id/1', 'https://oidc.example'].map(accepts)).toEqual([
      true,
      true,
      false,
    ]);
    expect(template.Rules.IssuerForIrsa).toMatchObject({
      RuleCondition: { 'Fn::Equals': [{ Ref: 'ControllerIdentity' }, 'irsa'] },
      Assertions: [{ AssertDescription: 'ControllerIdentity irsa needs OIDCIssuer' }],
    });
    expect(variables.variable.oidc_issuer.validation.error_message).toBe(
      'oidc_issuer is written without https://.',
    );
    expect(roles.resource.aws_iam_role.controller.lifecycle.precondition).toMatchObject([
      { error_message: 'controller_identity irsa needs oidc_issuer.' },
    ]);
  });

  it('name the command that creates the service-linked role for spot', () => {
    const command = 'aws iam create-service-linked-role --aws-service-name spot.amazonaws.com';
    expect(template.Outputs.SpotServiceLinkedRole.Value).toBe(command);
    expect(outputs.output.spot_service_linked_role.value).toBe(command);
  });

  it('send five kinds of events to an encrypted queue that keeps them for five minutes', () => {
    expect(resources.KarpenterInterruptionQueue.Properties).toEqual({
      QueueName: { 'Fn::Sub': 'c1' },
      MessageRetentionPeriod: 300,
      SqsManagedSseEnabled: true,
    });
    const rules = Object.values<{ Type: string; Properties: { EventPattern: object } }>(resources).filter(
      ({ Type }) => Type === 'AWS::Events::Rule',
    );
    const patterns = rules.map(({ Properties }) => Properties.EventPattern);
    expect(patterns).toEqual([
      { source: ['aws.health'], 'detail-type': ['AWS Health Event'] },
      { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] },
      { source: ['aws.ec2'], 'detail-type': ['EC2 Instance Rebalance Recommendation'] },
      { source: ['aws.ec2'], 'detail-type': ['EC2 Instance State-change Notification'] },
      { source: ['aws.ec2'], 'detail-type': ['EC2 Capacity Reservation Instance Interruption Warning'] },
    ]);
    const ofTerraform = Object.values<{ event_pattern: string }>(
      interruption.resource.aws_cloudwatch_event_rule,
    ).map((rule) => JSON.parse(rule.event_pattern));
    expect(ofTerraform).toEqual(patterns);
  });

  it('call the five rules what Karpenter calls them, and lead each to the queue', () => {
    const names = [
      'ScheduledChangeRule',
      'SpotInterruptionRule',
      'RebalanceRule',
      'InstanceStateChangeRule',
      'CapacityReservationInterruptionRule',
    ];
    for (const name of names) {
      expect(resources[name].Properties.Targets).toEqual([
        {
          Id: 'KarpenterInterruptionQueueTarget',
          Arn: { 'Fn::GetAtt': ['KarpenterInterruptionQueue', 'Arn'] },
        },
      ]);
    }
    const { aws_cloudwatch_event_rule: rules, aws_cloudwatch_event_target: targets } = interruption.resource;
    expect(targets).toEqual(
      Object.fromEntries(
        Object.keys(rules).map((rule) => [
          rule,
          {
            rule: `\${aws_cloudwatch_event_rule.${rule}.name}`,
            target_id: 'KarpenterInterruptionQueueTarget',
            arn: 'arn:aws:sqs:r1:42:c1',
          },
        ]),
      ),
    );
  });

  it('let EventBridge send to the queue, and deny messages that come without TLS', () => {
    const queue = 'arn:aws:sqs:r1:42:c1';
    const { Id, Statement } = JSON.parse(
      resources.KarpenterInterruptionQueuePolicy.Properties.PolicyDocument['Fn::Sub'],
    );
    expect(Id).toBe('EC2InterruptionPolicy');
    expect(Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
        Action: 'sqs:SendMessage',
        Resource: queue,
      },
      {
        Sid: 'DenyHTTP',
        Effect: 'Deny',
        Principal: '*',
        Action: 'sqs:*',
        Resource: queue,
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ]);
    const { interruption_queue: document } = interruption.data.aws_iam_policy_document;
    expect(document.policy_id).toBe('EC2InterruptionPolicy');
    expect(document.statement).toEqual([
      {
        effect: 'Allow',
        principals: [{ type: 'Service', identifiers: ['events.amazonaws.com', 'sqs.amazonaws.com'] }],
        actions: ['sqs:SendMessage'],
        resources: [queue],
      },
      {
        sid: 'DenyHTTP',
        effect: 'Deny',
        principals: [{ type: '*', identifiers: ['*'] }],
        actions: ['sqs:*'],
        resources: [queue],
        condition: [{ test: 'Bool', variable: 'aws:SecureTransport', values: ['false'] }],
      },
    ]);
    expect(interruption.resource.aws_sqs_queue.interruption).toEqual({
      name: 'c1',
      message_retention_seconds: 300,
      sqs_managed_sse_enabled: true,
    });
  });
});
