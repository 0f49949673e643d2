import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { listOf } from '../lenient-json.ts';
import type { Store } from '../store/index.ts';
import { type Access, resourceText } from './access.ts';
import type { User } from './user.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** The RBAC authorizer: allows what some rule of some bound role allows. There are no deny rules. */
export class RbacAuthorizer {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  isAllowed(user: User, access: Access): boolean {
    // As in kube-apiserver, this group bypasses RBAC, so that broken roles cannot lock out the administrator.
    if (user.groups.includes('system:masters')) return true;
    return this.rulesFor(user, 'namespace' in access ? access.namespace : '').some((rule) =>
      ruleAllows(rule, access),
    );
  }

  /** Rules of ClusterRoleBindings, then those of RoleBindings in the namespace. */
  rulesFor(user: User, namespace: string): readonly JsonObject[] {
    const clusterWide = this.#store
      .list(`clusterrolebindings.${rbacGroup}`)
      .filter(({ object }) => binds(object, user, ''))
      .flatMap(({ object }) => this.boundRules(object, '') ?? []);
    if (namespace === '') return clusterWide;
    const inNamespace = this.#store
      .list(`rolebindings.${rbacGroup}`)
      .filter((entry) => entry.namespace === namespace && binds(entry.object, user, namespace))
      .flatMap(({ object }) => this.boundRules(object, namespace) ?? []);
    return [...clusterWide, ...inNamespace];
  }

  /** Rules of the role that a binding references; undefined when the role does not exist. */
  boundRules(binding: JsonObject, namespace: string): readonly JsonObject[] | undefined {
    const kind = member(binding['roleRef'], 'kind');
    const name = String(member(binding['roleRef'], 'name') ?? '');
    const role =
      kind === 'ClusterRole'
        ? this.#store.get(`clusterroles.${rbacGroup}`, '', name)
        : this.#store.get(`roles.${rbacGroup}`, namespace, name);
    return role === undefined ? undefined : listOf(role.object['rules']).filter(isJsonObject);
  }
}

function binds(binding: JsonObject, user: User, bindingNamespace: string): boolean {
  return listOf(binding['subjects']).some((subject) => isSubject(subject, user, bindingNamespace));
}

function isSubject(subject: Json, user: User, bindingNamespace: string): boolean {
  const name = String(member(subject, 'name') ?? '');
  switch (member(subject, 'kind')) {
    case 'User':
      return name === user.name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return (
        user.name === `system:serviceaccount:${member(subject, 'namespace') ?? bindingNamespace}:${name}`
      );
    default:
      return false;
  }
}

function ruleAllows(rule: JsonObject, access: Access): boolean {
  if (!matchesOne(rule['verbs'], access.verb)) return false;
  if ('path' in access)
    return listOf(rule['nonResourceURLs']).some((url) => matchesPath(String(url), access.path));
  const names = listOf(rule['resourceNames']);
  return (
    matchesOne(rule['apiGroups'], access.group) &&
    matchesResource(rule['resources'], resourceText(access), access.subresource) &&
    (names.length === 0 || names.includes(access.name))
  );
}

function matchesOne(values: Json | undefined, wanted: string): boolean {
  const list = listOf(values);
  return list.includes('*') || list.includes(wanted);
}

function matchesResource(values: Json | undefined, wanted: string, subresource: string): boolean {
  return matchesOne(values, wanted) || (subresource !== '' && listOf(values).includes(`*/${subresource}`));
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}
