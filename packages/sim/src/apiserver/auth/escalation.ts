import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission/admission.ts';
import { listOf, textOf } from '../lenient-json.ts';
import { forbidden, notFound } from '../status/status-errors.ts';
import type { Access } from './access.ts';
import type { RbacAuthorizer } from './rbac.ts';
import type { User } from './user.ts';

const group = 'rbac.authorization.k8s.io';

/**
 * RBAC escalation prevention: a user cannot grant permissions that the user does not have, neither by writing
 * a role nor by binding one. The verbs `escalate` and `bind` lift the check, as in Kubernetes.
 */
export class RightsEscalation implements AdmissionPlugin {
  readonly #authorizer: RbacAuthorizer;

  constructor(authorizer: RbacAuthorizer) {
    this.#authorizer = authorizer;
  }

  validate(attributes: AdmissionAttributes): void {
    const { kind, object, operation, user, namespace, name } = attributes;
    if (kind.group !== group || object === undefined || operation === 'DELETE') return;
    const isBinding = kind.kind.endsWith('Binding');
    if (this.#mayEscalate(attributes, isBinding)) return;
    const rules = isBinding ? this.#boundRules(attributes, object) : listOf(object['rules']);
    const notHeld = rules.filter(isJsonObject).filter((rule) => !this.#holds(user, rule, namespace));
    if (notHeld.length === 0) return;
    throw forbidden(
      { group, plural: kind.plural, name },
      `user "${user.name}" (groups=${JSON.stringify(user.groups)}) is attempting to grant RBAC permissions not currently held:\n` +
        notHeld.map(ruleText).join('\n'),
    );
  }

  /**
   * A binding to a role that does not exist is rejected, because the creator of the role would later decide what
   * the binding grants.
   */
  #boundRules({ kind, namespace }: AdmissionAttributes, binding: JsonObject): readonly JsonObject[] {
    const rules = this.#authorizer.boundRules(binding, namespace);
    if (rules !== undefined) return rules;
    // kube-apiserver names the binding's resource in this message, not the role's.
    throw notFound({ group, plural: kind.plural, name: textOf(member(binding['roleRef'], 'name')) });
  }

  #mayEscalate({ kind, user, object, namespace, name }: AdmissionAttributes, isBinding: boolean): boolean {
    const role = isBinding ? member(object?.['roleRef'], 'kind') : kind.kind;
    const verb = isBinding ? 'bind' : 'escalate';
    const resource = role === 'ClusterRole' ? 'clusterroles' : 'roles';
    const named = isBinding ? String(member(object?.['roleRef'], 'name') ?? '') : name;
    return this.#authorizer.isAllowed(user, {
      verb,
      group,
      resource,
      subresource: '',
      namespace,
      name: named,
    });
  }

  #holds(user: User, rule: JsonObject, namespace: string): boolean {
    return accessesOf(rule, namespace).every((access) => this.#authorizer.isAllowed(user, access));
  }
}

/** Expands a rule into single accesses. `*` stays a name of its own, so only a user with `*` may grant it. */
function accessesOf(rule: JsonObject, namespace: string): readonly Access[] {
  const verbs = texts(rule['verbs']);
  const paths = texts(rule['nonResourceURLs']).flatMap((path) => verbs.map((verb) => ({ verb, path })));
  const names = texts(rule['resourceNames']);
  const resources = verbs.flatMap((verb) =>
    texts(rule['apiGroups']).flatMap((each) =>
      texts(rule['resources']).flatMap((resource) =>
        (names.length === 0 ? [''] : names).map((name) => ({
          verb,
          group: each,
          ...splitResource(resource),
          namespace,
          name,
        })),
      ),
    ),
  );
  return [...paths, ...resources];
}

function splitResource(text: string): { readonly resource: string; readonly subresource: string } {
  const [resource = '', subresource = ''] = text.split('/');
  return { resource, subresource };
}

function ruleText(rule: JsonObject): string {
  const fields = [
    ['APIGroups', 'apiGroups'],
    ['Resources', 'resources'],
    ['ResourceNames', 'resourceNames'],
    ['NonResourceURLs', 'nonResourceURLs'],
    ['Verbs', 'verbs'],
  ] as const;
  const parts = fields
    .filter(([, field]) => listOf(rule[field]).length > 0)
    .map(([label, field]) => `${label}:${JSON.stringify(rule[field])}`);
  return `{${parts.join(', ')}}`;
}

function texts(value: Json | undefined): readonly string[] {
  return listOf(value).map(String);
}
