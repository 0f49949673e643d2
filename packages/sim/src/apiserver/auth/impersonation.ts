import { subdomainProblems } from '@karpenter/core/values';
import { badRequest } from '../status/status-errors.ts';
import type { ResourceAccess } from './access.ts';
import { extraKey, type RawHeaders } from './raw-headers.ts';
import { anonymous, type User } from './user.ts';

const prefix = 'impersonate-';
const extraPrefix = `${prefix}extra-`;
const authentication = 'authentication.k8s.io';

const namespaceForm = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The impersonation headers of a request. */
interface Impersonation {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The impersonated user, with every permission that the requester needs for it. */
export interface Impersonated {
  readonly user: User;
  readonly needs: readonly ResourceAccess[];
}

/** Undefined for requests without impersonation headers; throws 400 for headers that name no user. */
export function impersonatedUser(headers: RawHeaders): Impersonated | undefined {
  const wanted = impersonationIn(headers);
  const { user, uid, groups, extra } = wanted;
  if (user === '') {
    if (uid === '' && groups.length === 0 && extra.size === 0) return undefined;
    throw badRequest(`requested ${goText(wanted)} without impersonating a user name`);
  }
  const account = serviceAccountOf(user);
  return {
    user: {
      name: user,
      ...(uid === '' ? {} : { uid }),
      groups: withImpliedGroups(user, groups.length > 0 ? groups : accountGroups(account)),
      ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
    },
    needs: [account === undefined ? need('users', user) : accountNeed(account), ...otherNeeds(wanted)],
  };
}

function impersonationIn(headers: RawHeaders): Impersonation {
  const all = (name: string) =>
    headers.filter(([each]) => each === `${prefix}${name}`).map(([, value]) => value);
  const extras = headers.filter(([name]) => name.startsWith(extraPrefix));
  const names = new Set(extras.map(([name]) => name));
  return {
    user: all('user')[0] ?? '',
    uid: all('uid')[0] ?? '',
    groups: all('group'),
    extra: new Map(
      [...names].map((name) => [
        extraKey(name.slice(extraPrefix.length)),
        extras.filter(([each]) => each === name).map(([, value]) => value),
      ]),
    ),
  };
}

function otherNeeds({ groups, extra, uid }: Impersonation): readonly ResourceAccess[] {
  return [
    ...groups.map((group) => need('groups', group)),
    ...[...extra].flatMap(([key, values]) =>
      values.map((value) => need('userextras', value, { group: authentication, subresource: key })),
    ),
    ...(uid === '' ? [] : [need('uids', uid, { group: authentication })]),
  ];
}

function need(resource: string, name: string, more: Partial<ResourceAccess> = {}): ResourceAccess {
  return { verb: 'impersonate', group: '', resource, subresource: '', namespace: '', name, ...more };
}

interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** A name with the prefix but without a valid namespace and name is an ordinary user. */
function serviceAccountOf(user: string): ServiceAccount | undefined {
  const [, namespace = '', name = ''] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  const isOne = namespaceForm.test(namespace) && subdomainProblems(name).length === 0;
  return isOne ? { namespace, name } : undefined;
}

function accountNeed({ namespace, name }: ServiceAccount): ResourceAccess {
  return need('serviceaccounts', name, { namespace });
}

/** The groups of a service account, used when the request names no groups. */
function accountGroups(account: ServiceAccount | undefined): readonly string[] {
  return account === undefined
    ? []
    : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
}

/**
 * Adds `system:authenticated`, or `system:unauthenticated` for the anonymous user. A request that names one
 * of these groups itself gets no other.
 */
function withImpliedGroups(user: string, groups: readonly string[]): readonly string[] {
  const [known, unknown] = ['system:authenticated', 'system:unauthenticated'];
  if (user === anonymous.name) return groups.includes(unknown) ? groups : [...groups, unknown];
  return groups.includes(known) || groups.includes(unknown) ? groups : [...groups, known];
}

/** The request in Go's `%#v` notation, which kube-apiserver prints in its error message. */
function goText({ uid, groups, extra }: Impersonation): string {
  const list = (values: readonly string[]) =>
    `[]string{${values.map((each) => JSON.stringify(each)).join(', ')}}`;
  const entries = [...extra].sort(([a], [b]) => (a < b ? -1 : 1));
  const extras = entries.map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`).join(', ');
  const groupText = groups.length === 0 ? '[]string(nil)' : list(groups);
  const extraText = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${extras}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${groupText}, Extra:${extraText}}`;
}
