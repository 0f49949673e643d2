import { StatusError } from '../status/status-error.ts';
import { type Access, refusalText } from './access.ts';
import type { RbacAuthorizer } from './rbac.ts';
import type { User } from './user.ts';

/** Throws the 403 of kube-apiserver if the user may not do something. */
export function checkAccess(authorizer: RbacAuthorizer, user: User, access: Access): void {
  if (!authorizer.isAllowed(user, access)) throw forbiddenAccess(user, access);
}

function forbiddenAccess(user: User, access: Access): StatusError {
  const text = refusalText(user.name, access);
  if ('path' in access) return new StatusError(403, 'Forbidden', `forbidden: ${text}`, {});
  const { group, resource, name } = access;
  const subject = `${group === '' ? resource : `${resource}.${group}`}${name === '' ? '' : ` "${name}"`}`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${text}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}
