import {
  DescribeAutoScalingGroups$,
  ResumeProcesses$,
  SuspendProcesses$,
  TerminateInstanceInAutoScalingGroup$,
  UpdateAutoScalingGroup$,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeAccessEntry$,
  DescribeCluster$,
  DescribeNodegroup$,
  ListClusters$,
  ListNodegroups$,
  UpdateNodegroupConfig$,
} from '@aws-sdk/client-eks';
import {
  AddRoleToInstanceProfile$,
  CreateInstanceProfile$,
  DeleteInstanceProfile$,
  GetInstanceProfile$,
  GetRole$,
  ListInstanceProfiles$,
  RemoveRoleFromInstanceProfile$,
  TagInstanceProfile$,
} from '@aws-sdk/client-iam';
import { GetProducts$ } from '@aws-sdk/client-pricing';
import { GetParameter$ } from '@aws-sdk/client-ssm';
import { GetCallerIdentity$ } from '@aws-sdk/client-sts';
import type { AdministratorServices } from '../../cloud/index.ts';
import { JsonProtocol } from '../protocols/json-protocol.ts';
import { operation } from '../protocols/protocol.ts';
import { QueryProtocol } from '../protocols/query-protocol.ts';
import { RestJsonProtocol } from '../protocols/rest-json-protocol.ts';
import type { WireService } from './wire-service.ts';

export function autoScalingWire({ autoScaling }: AdministratorServices): WireService {
  return {
    name: 'autoscaling',
    version: '2011-01-01',
    isRegional: true,
    protocols: [query('http://autoscaling.amazonaws.com/doc/2011-01-01/')],
    operations: [
      operation(DescribeAutoScalingGroups$, autoScaling.describeAutoScalingGroups),
      operation(ResumeProcesses$, autoScaling.resumeProcesses),
      operation(SuspendProcesses$, autoScaling.suspendProcesses),
      operation(TerminateInstanceInAutoScalingGroup$, autoScaling.terminateInstanceInAutoScalingGroup),
      operation(UpdateAutoScalingGroup$, autoScaling.updateAutoScalingGroup),
    ],
  };
}

export function eksWire({ eks, administration }: AdministratorServices): WireService {
  return {
    name: 'eks',
    isRegional: true,
    protocols: [new RestJsonProtocol()],
    operations: [
      operation(DescribeAccessEntry$, eks.describeAccessEntry),
      operation(DescribeCluster$, eks.describeCluster),
      operation(DescribeNodegroup$, eks.describeNodegroup),
      operation(ListClusters$, administration.listClusters),
      operation(ListNodegroups$, eks.listNodegroups),
      operation(UpdateNodegroupConfig$, eks.updateNodegroupConfig),
    ],
  };
}

export function iamWire({ iam }: AdministratorServices): WireService {
  return {
    name: 'iam',
    version: '2010-05-08',
    isRegional: false,
    protocols: [query('https://iam.amazonaws.com/doc/2010-05-08/')],
    operations: [
      operation(AddRoleToInstanceProfile$, iam.addRoleToInstanceProfile),
      operation(CreateInstanceProfile$, iam.createInstanceProfile),
      operation(DeleteInstanceProfile$, iam.deleteInstanceProfile),
      operation(GetInstanceProfile$, iam.getInstanceProfile),
      operation(GetRole$, iam.getRole),
      operation(ListInstanceProfiles$, iam.listInstanceProfiles),
      operation(RemoveRoleFromInstanceProfile$, iam.removeRoleFromInstanceProfile),
      operation(TagInstanceProfile$, iam.tagInstanceProfile),
    ],
  };
}

export function pricingWire({ pricing }: AdministratorServices): WireService {
  return {
    name: 'pricing',
    target: 'AWSPriceListService',
    isRegional: false,
    protocols: [new JsonProtocol({ version: '1.1' })],
    operations: [operation(GetProducts$, pricing.getProducts)],
  };
}

export function ssmWire({ ssm }: AdministratorServices): WireService {
  return {
    name: 'ssm',
    target: 'AmazonSSM',
    isRegional: true,
    protocols: [new JsonProtocol({ version: '1.1' })],
    operations: [operation(GetParameter$, ssm.getParameter)],
  };
}

/** Not regional, because the global STS endpoint serves requests signed for any region. */
export function stsWire({ sts }: AdministratorServices): WireService {
  return {
    name: 'sts',
    version: '2011-06-15',
    isRegional: false,
    protocols: [query('https://sts.amazonaws.com/doc/2011-06-15/')],
    operations: [operation(GetCallerIdentity$, sts.getCallerIdentity)],
  };
}

function query(xmlNamespace: string): QueryProtocol {
  return new QueryProtocol({ dialect: 'query', xmlNamespace });
}
