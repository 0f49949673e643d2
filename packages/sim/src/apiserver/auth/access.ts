/** The attributes that an authorizer decides on: a verb on a resource or on a path. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Kubernetes' message: `User "x" cannot list resource "pods" in API group "" in the namespace "default"`. */
export function refusalText(userName: string, access: Access): string {
  if ('path' in access) return `User "${userName}" cannot ${access.verb} path "${access.path}"`;
  const { verb, group, namespace } = access;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${userName}" cannot ${verb} resource "${resourceText(access)}" in API group "${group}" ${scope}`;
}

export function resourceText({ resource, subresource }: ResourceAccess): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}
