import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import { grant, grantEverywhere, review, robot } from '../accounts.ts';
import type { ConformanceApi, RequestOptions } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { eventually } from '../patience.ts';
import type { ServerReply } from '../reply.ts';

type Headers = NonNullable<RequestOptions['headers']>;

const authentication = 'authentication.k8s.io';

function impersonate(resource: string, names: readonly string[], apiGroup = ''): JsonObject {
  return { apiGroups: [apiGroup], resources: [resource], resourceNames: [...names], verbs: ['impersonate'] };
}

/** The user as which the server authenticates a request with these headers. */
function whoAmI(api: ConformanceApi, headers: Headers): Promise<ServerReply> {
  const body = { apiVersion: `${authentication}/v1`, kind: 'SelfSubjectReview' };
  return api.request('POST', `/apis/${authentication}/v1/selfsubjectreviews`, { body, headers });
}

async function isTakenFor(api: ConformanceApi, headers: Headers, user: JsonObject): Promise<void> {
  assert.deepEqual((await whoAmI(api, headers)).expect(201).at('status.userInfo'), user);
}

/** Expects a Forbidden error that says, in the words of the real server, what may not be impersonated. */
async function isRefused(
  api: ConformanceApi,
  headers: Headers,
  subject: string,
  what: string,
): Promise<void> {
  const reply = (await whoAmI(api, headers)).expectFailure(403, 'Forbidden');
  const user = `system:serviceaccount:${api.namespace}:robot`;
  assert.equal(
    reply.at('message'),
    `${subject} is forbidden: User "${user}" cannot impersonate resource ${what}`,
  );
}

/** A service account that may impersonate jane, plus the given rules. */
async function impersonator(
  api: ConformanceApi,
  rules: readonly JsonObject[],
  use: (robot: ConformanceApi) => Promise<void>,
): Promise<void> {
  const token = await robot(api);
  await grantEverywhere(api, [impersonate('users', ['jane']), ...rules], () =>
    api.as(token, async (other) => {
      await eventually(async () => (await whoAmI(other, { 'impersonate-user': 'jane' })).expect(201));
      await use(other);
    }),
  );
}

const jane = { 'impersonate-user': 'jane' };
const inCluster = 'in API group "" at the cluster scope';
const inAuthentication = `in API group "${authentication}" at the cluster scope`;

export const impersonationCases = area('impersonation', {
  'permission to impersonate one user does not cover another': async (api) => {
    await impersonator(api, [], async (other) => {
      await isTakenFor(other, jane, { username: 'jane', groups: ['system:authenticated'] });
      await isRefused(other, { 'impersonate-user': 'bob' }, 'users "bob"', `"users" ${inCluster}`);
    });
  },
  'permission to impersonate a user does not cover groups': async (api) => {
    await impersonator(api, [impersonate('groups', ['devs'])], async (other) => {
      const masters = { ...jane, 'impersonate-group': 'system:masters' };
      const refusal = ['groups "system:masters"', `"groups" ${inCluster}`] as const;
      await isRefused(other, masters, ...refusal);
      await isRefused(other, { ...jane, 'impersonate-group': ['devs', 'system:masters'] }, ...refusal);
      await isTakenFor(
        other,
        { ...jane, 'impersonate-group': ['devs', 'devs'] },
        { username: 'jane', groups: ['devs', 'devs', 'system:authenticated'] },
      );
    });
  },
  'a group header is one group, even with commas': async (api) => {
    await impersonator(api, [impersonate('groups', ['devs', 'x,y'])], async (other) => {
      const list = { ...jane, 'impersonate-group': 'devs, system:masters' };
      await isRefused(other, list, 'groups "devs, system:masters"', `"groups" ${inCluster}`);
      const groups = ['x,y', 'system:authenticated'];
      await isTakenFor(other, { ...jane, 'impersonate-group': 'x,y' }, { username: 'jane', groups });
      await isRefused(other, { ...jane, 'impersonate-group': '' }, 'groups', `"groups" ${inCluster}`);
    });
  },
  'impersonating a uid needs its own permission': async (api) => {
    await impersonator(api, [impersonate('uids', ['u-1'], authentication)], async (other) => {
      const groups = ['system:authenticated'];
      const first = { username: 'jane', uid: 'u-1', groups };
      await isTakenFor(other, { ...jane, 'impersonate-uid': 'u-1' }, first);
      await isTakenFor(other, { ...jane, 'impersonate-uid': ['u-1', 'u-2'] }, first);
      await isTakenFor(other, { ...jane, 'impersonate-uid': '' }, { username: 'jane', groups });
      const refusal = [`uids.${authentication} "u-2"`, `"uids" ${inAuthentication}`] as const;
      await isRefused(other, { ...jane, 'impersonate-uid': 'u-2' }, ...refusal);
    });
  },
  'each value of extra information needs its own permission': async (api) => {
    const rules = [impersonate('userextras/scopes', ['view', 'dev'], authentication)];
    await impersonator(api, rules, async (other) => {
      const scopes = (...values: string[]) => ({ ...jane, 'Impersonate-Extra-Scopes': values });
      const extra = { scopes: ['view', 'dev'] };
      const user = { username: 'jane', groups: ['system:authenticated'], extra };
      await isTakenFor(other, scopes('view', 'dev'), user);
      const what = `"userextras/scopes" ${inAuthentication}`;
      await isRefused(other, scopes('view', 'admin'), `userextras.${authentication} "admin"`, what);
      await isRefused(other, scopes(''), `userextras.${authentication}`, what);
      const unknown = `"userextras/other" ${inAuthentication}`;
      const headers = { ...jane, 'impersonate-extra-other': 'x' };
      await isRefused(other, headers, `userextras.${authentication} "x"`, unknown);
    });
  },
  'keys of extra information are in lower case and decoded': async (api) => {
    const keys: readonly (readonly [string, string])[] = [
      ['Acme.com%2FProject', 'acme.com/project'],
      ['a%2Fb%2Fc', 'a/b/c'],
      ['%zz', '%zz'],
      ['__proto__', '__proto__'],
      ['constructor', 'constructor'],
    ];
    for (const [header, key] of keys) {
      const reply = await whoAmI(api, { ...jane, [`Impersonate-Extra-${header}`]: 'x' });
      assert.deepEqual(reply.expect(201).at('status.userInfo.extra'), Object.fromEntries([[key, ['x']]]));
    }
  },
  'names of headers may be written in any case': async (api) => {
    const headers = { 'iMpErSoNaTe-uSeR': 'jane', 'IMPERSONATE-GROUP': 'devs' };
    const groups = ['devs', 'system:authenticated'];
    await isTakenFor(api, headers, { username: 'jane', groups });
  },
  'the first of several users counts': async (api) => {
    await impersonator(api, [], async (other) => {
      const groups = ['system:authenticated'];
      await isTakenFor(other, { 'impersonate-user': ['jane', 'bob'] }, { username: 'jane', groups });
      await isRefused(other, { 'impersonate-user': ['bob', 'jane'] }, 'users "bob"', `"users" ${inCluster}`);
    });
  },
  'groups, uid and extra information need an impersonated user': async (api) => {
    const cases: readonly (readonly [Headers, string])[] = [
      [{ 'impersonate-group': 'devs' }, 'UID:"", Groups:[]string{"devs"}, Extra:map[string][]string(nil)'],
      [{ 'impersonate-uid': 'u' }, 'UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)'],
      [
        { 'impersonate-user': '', 'impersonate-extra-scopes': ['a', 'b'] },
        'UID:"", Groups:[]string(nil), Extra:map[string][]string{"scopes":[]string{"a", "b"}}',
      ],
    ];
    for (const [headers, text] of cases) {
      const reply = (await whoAmI(api, headers)).expectFailure(400, 'BadRequest');
      const wanted = `requested &user.DefaultInfo{Name:"", ${text}} without impersonating a user name`;
      assert.equal(reply.at('message'), wanted);
    }
  },
  'empty headers do not impersonate': async (api) => {
    const own = (await whoAmI(api, {})).expect(201).at('status.userInfo');
    const headers = { 'impersonate-user': '', 'impersonate-uid': '' };
    assert.deepEqual((await whoAmI(api, headers)).expect(201).at('status.userInfo'), own);
  },
  'a service account is impersonated by its name in its namespace': async (api) => {
    const token = await robot(api);
    const account = (name: string, namespace = api.namespace) => ({
      'impersonate-user': `system:serviceaccount:${namespace}:${name}`,
    });
    await grant(api, [impersonate('serviceaccounts', ['robot'])]);
    await api.as(token, async (other) => {
      const groups = [
        'system:serviceaccounts',
        `system:serviceaccounts:${api.namespace}`,
        'system:authenticated',
      ];
      const username = account('robot')['impersonate-user'];
      await eventually(() => isTakenFor(other, account('robot'), { username, groups }));
      const within = `in API group "" in the namespace`;
      const kind = '"serviceaccounts"';
      await isRefused(
        other,
        account('boss'),
        'serviceaccounts "boss"',
        `${kind} ${within} "${api.namespace}"`,
      );
      const elsewhere = `${kind} ${within} "elsewhere"`;
      await isRefused(other, account('robot', 'elsewhere'), 'serviceaccounts "robot"', elsewhere);
    });
  },
  'a name that only resembles a service account is a user': async (api) => {
    for (const end of ['a', 'a:b:c', 'NOT_A_NAMESPACE:b', ':b', 'a:']) {
      const username = `system:serviceaccount:${end}`;
      await isTakenFor(api, { 'impersonate-user': username }, { username, groups: ['system:authenticated'] });
    }
  },
  'an impersonated service account with given groups has only these': async (api) => {
    const username = `system:serviceaccount:${api.namespace}:robot`;
    const headers = { 'impersonate-user': username, 'impersonate-group': 'devs' };
    await isTakenFor(api, headers, { username, groups: ['devs', 'system:authenticated'] });
  },
  'an impersonated anonymous user may not create a self subject review': async (api) => {
    for (const group of [[], ['devs'], ['system:unauthenticated']]) {
      const headers = { 'impersonate-user': 'system:anonymous', 'impersonate-group': group };
      (await whoAmI(api, headers)).expectFailure(403, 'Forbidden');
    }
  },
  'an impersonated user has exactly their own permissions': async (api) => {
    const spec = { resourceAttributes: { verb: 'list', resource: 'nodes' } };
    assert.equal((await review(api, 'SelfSubjectAccessReview', spec)).at('status.allowed'), true);
    const reply = await api.get('/api/v1/nodes', { 'impersonate-user': 'jane' });
    const message = `nodes is forbidden: User "jane" cannot list resource "nodes" ${inCluster}`;
    assert.equal(reply.expectFailure(403, 'Forbidden').at('message'), message);
  },
  'an anonymous user cannot impersonate': async (api) => {
    const reply = await api.as('', (other) => whoAmI(other, jane));
    const { message } = reply.expectFailure(403, 'Forbidden').object();
    assert.match(String(message), / is forbidden: User "system:anonymous" cannot impersonate/);
  },
});
