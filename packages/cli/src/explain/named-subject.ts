import type { ObjectName } from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import { nearestName } from '@karpenter/core/values';

const kindsByWord: Readonly<Record<string, ObjectName['kind']>> = {
  pod: 'Pod',
  pods: 'Pod',
  po: 'Pod',
  node: 'Node',
  nodes: 'Node',
  no: 'Node',
  nodeclaim: 'NodeClaim',
  nodeclaims: 'NodeClaim',
  nodepool: 'NodePool',
  nodepools: 'NodePool',
};

/** The words of the help; plurals and short names work too. */
export const explainedKinds = ['pod', 'node', 'nodeclaim', 'nodepool'] as const;

/** The object of `pod NAME`, `pod/NAME` and `pod NAMESPACE/NAME`; without a namespace if nothing says one. */
export function namedSubject(words: readonly string[], namespace: string | undefined): ObjectName {
  const [kindWord = '', name = '', ...others] = words.length === 1 ? splitOnce(words[0] ?? '') : words;
  const kind = kindOfWord(kindWord);
  if (name === '' || others.length > 0)
    throw invalid(`karpenter explain takes a kind and one name, such as: karpenter explain ${kindWord} NAME`);
  if (kind !== 'Pod') return { kind, name };
  const [before, after] = name.split('/');
  if (after === undefined) return { kind, name, ...(namespace !== undefined && { namespace }) };
  if (namespace !== undefined && namespace !== before)
    throw invalid(`the name ${name} and --namespace ${namespace} say different namespaces; leave one out`);
  return { kind, namespace: before ?? '', name: after };
}

function splitOnce(text: string): readonly string[] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text] : [text.slice(0, slash), text.slice(slash + 1)];
}

function kindOfWord(word: string): ObjectName['kind'] {
  const known = word.toLowerCase().replace(/\.karpenter\.sh$/, '');
  const kind = Object.hasOwn(kindsByWord, known) ? kindsByWord[known] : undefined;
  if (kind !== undefined) return kind;
  const nearest = nearestName(known, explainedKinds);
  const advice =
    nearest === undefined ? `choose from ${explainedKinds.join(', ')}` : `did you mean ${nearest}?`;
  throw invalid(`karpenter explain does not know the kind ${JSON.stringify(word)}; ${advice}`);
}

function invalid(message: string): CodedError {
  return new CodedError('invalid-setting', message);
}
