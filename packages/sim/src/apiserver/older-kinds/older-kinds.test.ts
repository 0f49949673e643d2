import { describe, expect, it } from 'vitest';
import { groupsOf } from '../discovery/groups.ts';
import { requestInfo } from '../http/request-info.ts';
import { isManifestCommand, olderKindOf, olderKindRefused, withOlderKinds } from './older-kinds.ts';

const kubectl = (command: string) => ({ 'kubectl-command': `kubectl ${command}` });

function request(method: string, url: string) {
  const info = requestInfo(method, url);
  if (!info.isResource) throw new RangeError(`${url} is no resource`);
  return info;
}

describe('older kinds', () => {
  it.each(['apply', 'create', 'replace', 'diff', 'delete'])('are discovered by kubectl %s', (command) => {
    expect(isManifestCommand(kubectl(command))).toBe(true);
  });

  it.each([{}, kubectl('get'), kubectl('api-versions'), { 'kubectl-command': 'helm apply' }])(
    'are hidden from other clients: %j',
    (headers) => {
      expect(isManifestCommand(headers)).toBe(false);
    },
  );

  it('have no verbs and are not preferred, so that lists of resources do not show them', () => {
    const groups = groupsOf(withOlderKinds([]));
    expect(groups.map(({ name, versions }) => [name, versions.map(({ version }) => version)])).toEqual([
      ['karpenter.sh', ['v1beta1', 'v1alpha5']],
      ['karpenter.k8s.aws', ['v1beta1', 'v1alpha1']],
    ]);
    const kinds = groups.flatMap(({ versions }) => versions.flatMap((version) => version.kinds));
    expect(kinds.flatMap(({ verbs }) => verbs)).toEqual([]);
  });

  it('are left out where they are served', () => {
    const [served] = withOlderKinds([]).filter(({ plural }) => plural === 'nodepools');
    const all = withOlderKinds(served === undefined ? [] : [served]);
    expect(all.filter(({ plural }) => plural === 'nodepools')).toHaveLength(1);
  });

  it('are answered with the command that converts them', () => {
    const info = request('POST', '/apis/karpenter.sh/v1alpha5/provisioners');
    const older = olderKindOf(info);
    if (older === undefined) throw new RangeError('not found');
    const error = olderKindRefused(older, info, kubectl('create'));
    expect(error.toStatus()).toMatchObject({ code: 404, reason: 'NotFound' });
    expect(error.message).toContain('run "karpenter convert -f FILE"');
  });

  it('stop kubectl apply before it takes them for new objects', () => {
    const info = request('GET', '/apis/karpenter.sh/v1beta1/nodepools/a');
    const older = olderKindOf(info);
    if (older === undefined) throw new RangeError('not found');
    expect(olderKindRefused(older, info, kubectl('apply')).code).toBe(400);
    expect(olderKindRefused(older, info, kubectl('delete')).code).toBe(404);
  });

  it('do not include kinds that are served', () => {
    expect(olderKindOf(request('GET', '/apis/karpenter.sh/v1/nodepools'))).toBeUndefined();
    expect(olderKindOf(request('GET', '/apis/karpenter.sh/v1alpha1/nodeoverlays'))).toBeUndefined();
  });
});
