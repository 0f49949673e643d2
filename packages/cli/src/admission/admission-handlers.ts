import { admitNodeClass, type EC2NodeClass, ec2NodeClasses, knownInstanceTypes } from '@karpenter/aws';
import { conversionPath } from '@karpenter/aws/conversion';
import {
  type Admission,
  type AdmissionRules,
  admitNodeClaim,
  admitNodePool,
  nodeClassRefPatch,
  problemText,
  TypeCatalogue,
} from '@karpenter/core/admission';
import type { NodeClaim, NodePool } from '@karpenter/core/api';
import {
  type AdmissionHandler,
  type AdmissionRequest,
  isExempt,
  type ObjectValidator,
  validatingHandler,
  type WebhookServerOptions,
} from '@karpenter/kube/webhooks';
import { awsVocabulary } from '../label-vocabulary.ts';
import { convertStored } from './stored-versions.ts';

type DescribedTypes = Parameters<typeof knownInstanceTypes>[0];

interface AdmissionSources {
  /** The instance types of the region, as EC2 described them last: the same list while nothing changes. */
  readonly describedTypes: () => DescribedTypes;
  readonly region: string;
}

const nodeClasses = [ec2NodeClasses];

/** What the webhook serves, by path. */
export function admissionHandlers(
  sources: AdmissionSources,
): Required<Pick<WebhookServerOptions, 'admission' | 'conversion'>> {
  const validators = validatorsOf(rulesOf(sources));
  return {
    admission: {
      '/validate': validatingHandler(({ group, kind }) => validators.get(`${group}/${kind}`)),
      '/default': defaultNodeClassRef,
    },
    conversion: { [conversionPath]: convertStored },
  };
}

/** The API server has validated objects against their schema before it calls. */
function validatorsOf(rules: () => AdmissionRules): ReadonlyMap<string, ObjectValidator> {
  return new Map<string, ObjectValidator>([
    ['karpenter.sh/NodePool', (object) => validationResult(admitNodePool(object as NodePool, rules()))],
    ['karpenter.sh/NodeClaim', (object) => validationResult(admitNodeClaim(object as NodeClaim, rules()))],
    ['karpenter.k8s.aws/EC2NodeClass', (object) => validationResult(admitNodeClass(object as EC2NodeClass))],
  ]);
}

function validationResult({ errors, warnings }: Admission) {
  return { errors: errors.map(problemText), warnings };
}

/** Builds the catalogue again only when EC2 describes other types. */
function rulesOf({ describedTypes, region }: AdmissionSources): () => AdmissionRules {
  const { policy } = awsVocabulary;
  let built: { readonly from: DescribedTypes; readonly rules: AdmissionRules } | undefined;
  return () => {
    const from = describedTypes();
    if (built?.from !== from) {
      const catalogue = new TypeCatalogue(knownInstanceTypes(from, region), policy.aliases);
      built = { from, rules: { policy, nodeClasses, types: { catalogue, source: `EC2 in ${region}` } } };
    }
    return built.rules;
  };
}

/** Where the reference is, as JSON pointers. */
const references = new Map([
  ['NodePool', ['spec', 'template', 'spec', 'nodeClassRef']],
  ['NodeClaim', ['spec', 'nodeClassRef']],
]);

/** Mutating webhooks see objects before their schema is checked, so nothing can be taken for granted. */
const defaultNodeClassRef: AdmissionHandler = (request) => {
  const path = references.get(request.kind);
  const ref = path && memberAt(request.object, path);
  if (path === undefined || !isMap(ref) || isExempt(request)) return { allowed: true };
  return { allowed: true, patch: nodeClassRefPatch(ref, nodeClasses, `/${path.join('/')}`) };
};

function memberAt(object: AdmissionRequest['object'], path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), object);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
