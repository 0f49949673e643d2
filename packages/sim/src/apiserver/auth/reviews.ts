import { isJsonArray, isJsonObject, type JsonObject, member } from '@karpenter/core/schema';
import { listOf, textOf } from '../lenient-json.ts';
import { badRequest } from '../status/status-errors.ts';
import type { Access } from './access.ts';
import type { Authenticator } from './authenticator.ts';
import type { RbacAuthorizer } from './rbac.ts';
import { serverAudience } from './token-signer.ts';
import type { User } from './user.ts';

export interface ReviewServices {
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
}

type Review = (services: ReviewServices, user: User, body: JsonObject, namespace: string) => JsonObject;

/**
 * The review kinds. A client creates one to ask about permissions or identity; the reply carries the answer
 * in `status`, and the store keeps nothing.
 */
export const reviews: Readonly<Record<string, Review>> = {
  SelfSubjectAccessReview: (services, user, body) => withStatus(body, accessStatus(services, user, body)),
  SubjectAccessReview: (services, _user, body) =>
    withStatus(body, accessStatus(services, subjectOf(body), body)),
  LocalSubjectAccessReview: (services, _user, body, namespace) => {
    checkNamespace(body, namespace);
    return withStatus(body, accessStatus(services, subjectOf(body), body));
  },
  SelfSubjectRulesReview: ({ authorizer }, user, body) =>
    withStatus(body, rulesStatus(authorizer, user, textOf(member(body['spec'], 'namespace')))),
  SelfSubjectReview: (_services, user, body) => withStatus(body, { userInfo: userInfo(user) }),
  TokenReview: ({ authenticator }, _user, body) => withStatus(body, tokenStatus(authenticator, body)),
};

/**
 * The permission to create a LocalSubjectAccessReview covers one namespace, so the question must be about it.
 */
function checkNamespace(body: JsonObject, namespace: string): void {
  const asked = member(member(body['spec'], 'resourceAttributes'), 'namespace');
  if (asked === namespace) return;
  throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
}

function withStatus(body: JsonObject, status: JsonObject): JsonObject {
  return { ...body, metadata: body['metadata'] ?? {}, status };
}

function accessStatus({ authorizer }: ReviewServices, user: User, body: JsonObject): JsonObject {
  return authorizer.isAllowed(user, accessOf(body))
    ? { allowed: true, reason: 'RBAC: allowed' }
    : { allowed: false };
}

function accessOf(body: JsonObject): Access {
  const resource = member(body['spec'], 'resourceAttributes');
  const path = member(body['spec'], 'nonResourceAttributes');
  if (resource !== undefined && isJsonObject(resource)) {
    const { verb, group, resource: name, subresource, namespace } = resource;
    return {
      verb: textOf(verb),
      group: textOf(group),
      resource: textOf(name),
      subresource: textOf(subresource),
      namespace: textOf(namespace),
      name: textOf(resource['name']),
    };
  }
  if (path !== undefined && isJsonObject(path))
    return { verb: textOf(path['verb']), path: textOf(path['path']) };
  throw badRequest('exactly one of nonResourceAttributes or resourceAttributes must be specified');
}

function subjectOf(body: JsonObject): User {
  const groups = member(body['spec'], 'groups');
  return {
    name: textOf(member(body['spec'], 'user')),
    groups: groups !== undefined && isJsonArray(groups) ? groups.map(String) : [],
  };
}

function rulesStatus(authorizer: RbacAuthorizer, user: User, namespace: string): JsonObject {
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const rules = user.groups.includes('system:masters') ? [everything] : authorizer.rulesFor(user, namespace);
  return {
    resourceRules: rules.filter((rule) => rule['resources'] !== undefined),
    nonResourceRules: rules.filter((rule) => rule['nonResourceURLs'] !== undefined),
    incomplete: false,
  };
}

/** The token must be valid for an audience that the review names, or for this server when it names none. */
function tokenStatus(authenticator: Authenticator, body: JsonObject): JsonObject {
  const token = textOf(member(body['spec'], 'token'));
  const asked = listOf(member(body['spec'], 'audiences')).map(String);
  const wanted = asked.length > 0 ? asked : [serverAudience];
  const user = authenticator.tokenUser(token, wanted);
  if (user === undefined) return { user: {}, error: 'invalid bearer token' };
  const audiences = wanted.filter((audience) => authenticator.tokenUser(token, [audience]) !== undefined);
  return { authenticated: true, user: userInfo(user), audiences };
}

export function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined ? {} : { extra }),
  };
}
