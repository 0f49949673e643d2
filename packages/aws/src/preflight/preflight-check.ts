import type { AwsServices } from '../ports/index.ts';

/** The outcome of one check of an account or a cluster. */
export interface CheckResult {
  /** A stable name for scripts, such as `interruption-queue`. */
  readonly check: string;
  /** `warning`: the controller can run, with limits. `unknown`: the check could not read what it needs. */
  readonly verdict: 'passed' | 'warning' | 'failed' | 'unknown';
  /** What was found, in one sentence. */
  readonly message: string;
  /** A command, or a sentence if there is none; absent if nothing needs to be done. */
  readonly fix?: string;
}

export interface PreflightContext {
  readonly services: AwsServices;
  readonly region: string;
  readonly clusterName: string;
  /** Name of the node role that EC2NodeClasses will use. */
  readonly nodeRole: string;
  /** Empty if interruptions are not handled. */
  readonly queue: string;
  readonly cluster: InspectedCluster;
}

/** State read from the API server. A part that cannot be read holds the reason instead. */
export interface InspectedCluster {
  /** Address of the API server. */
  readonly server: string;
  readonly definitions: Part<readonly InstalledDefinition[]>;
  readonly nodes: Part<readonly InspectedNode[]>;
  readonly deployments: Part<readonly InspectedDeployment[]>;
  /** `mapRoles` of the ConfigMap `aws-auth`, empty without one. */
  readonly mappedRoles: Part<string>;
}

export type Part<T> = { readonly value: T } | { readonly unreadable: string };

/** A CustomResourceDefinition that is installed. */
export interface InstalledDefinition {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly conversion?: { readonly strategy: string };
    readonly versions?: readonly {
      readonly name: string;
      readonly served?: boolean;
      readonly schema?: unknown;
    }[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

export interface InspectedNode {
  readonly metadata?: {
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly providerID?: string; readonly unschedulable?: boolean };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface InspectedDeployment {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly replicas?: number };
}

export type PreflightCheck = (context: PreflightContext) => Promise<readonly CheckResult[]>;

/** Binds the name of a check to its outcomes. */
export function outcomes(check: string) {
  return {
    passed: (message: string): CheckResult => ({ check, verdict: 'passed', message }),
    warning: (message: string, fix: string): CheckResult => ({ check, verdict: 'warning', message, fix }),
    failed: (message: string, fix: string): CheckResult => ({ check, verdict: 'failed', message, fix }),
    unknown: (message: string): CheckResult => ({ check, verdict: 'unknown', message }),
  };
}

/** Creates what the account lacks: role, policies and queue. */
export function deployCommand({ clusterName }: Pick<PreflightContext, 'clusterName'>): string {
  return `aws cloudformation deploy --stack-name Karpenter-${clusterName} --template-file deploy/cloudformation/karpenter.yaml --capabilities CAPABILITY_NAMED_IAM --parameter-overrides ClusterName=${clusterName}`;
}
