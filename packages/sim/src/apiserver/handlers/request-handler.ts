import type { ResourceCall } from '../api-context.ts';
import { type Access, checkAccess, impersonatedUser, rawHeadersOf, type User } from '../auth/index.ts';
import type { UpgradeSocket } from '../containers/index.ts';
import { errorReply, type Incoming, type Outgoing, pageNotFound, type Reply, send } from '../http/reply.ts';
import { type RequestInfo, requestInfo } from '../http/request-info.ts';
import { olderKindOf, olderKindRefused } from '../older-kinds/index.ts';
import { methodNotAllowed, unknownPath } from '../status/status-errors.ts';
import type { DiscoveryHandlers } from './discovery-handlers.ts';
import { type DispatchServices, dispatch } from './dispatch.ts';
import { healthReply } from './health.ts';
import { saved } from './saved.ts';

const methods = new Set(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']);

type Exchange = Pick<ResourceCall, 'request' | 'response' | 'warnings' | 'upgrade'>;

/**
 * Authenticates and authorizes a request and sends its reply. Every error becomes a Status, as clients
 * expect.
 */
export class RequestHandler {
  readonly #services: DispatchServices;
  readonly #discovery: DiscoveryHandlers;

  constructor(services: DispatchServices, discovery: DiscoveryHandlers) {
    this.#services = services;
    this.#discovery = discovery;
  }

  async handle(request: Incoming, response: Outgoing, upgrade?: () => UpgradeSocket): Promise<void> {
    const warnings: string[] = [];
    const sending = { request, response, warnings, work: this.#services.parts.work };
    try {
      const reply = await this.#reply({ request, response, warnings, upgrade });
      if (reply !== undefined) await send(sending, reply);
    } catch (error) {
      // After the headers, a Status would corrupt the stream; ending it makes clients of a watch connect
      // again.
      if (!response.headersSent) await send(sending, errorReply(error));
      else response.end();
    }
  }

  async #reply(exchange: Exchange): Promise<Reply | undefined> {
    const { request } = exchange;
    const info = requestInfo(request.method, request.url);
    // Authorization comes before the lookup of the kind: a client without permission gets 403 for unknown
    // kinds too.
    const user = this.#impersonated(this.#services.authenticator.authenticate(request), request);
    this.#authorize(user, info);
    const { registry, store } = this.#services.parts;
    if (!info.isResource) return (await healthReply(store, info)) ?? this.#discovery.handle(request, info);
    const kind = registry.find(info.group, info.version, info.resource);
    if (kind === undefined) {
      const older = olderKindOf(info);
      if (older !== undefined) throw olderKindRefused(older, info, request.headers);
      if (!registry.hasGroupVersion(info.group, info.version)) return pageNotFound;
      throw unknownPath();
    }
    if (!methods.has(request.method)) throw methodNotAllowed();
    return saved(store, info.verb, () => dispatch(this.#services, { info, kind, user, ...exchange }));
  }

  /** Handles `kubectl --as`: returns the impersonated user if this one may impersonate every attribute. */
  #impersonated(user: User, { rawHeaders }: Incoming): User {
    const impersonated = impersonatedUser(rawHeadersOf(rawHeaders));
    if (impersonated === undefined) return user;
    for (const access of impersonated.needs) this.#check(user, access);
    return impersonated.user;
  }

  #authorize(user: User, info: RequestInfo): void {
    if (!info.isResource) {
      this.#check(user, { verb: info.verb, path: info.path });
      return;
    }
    const { verb, group, resource, subresource, namespace, name } = info;
    this.#check(user, { verb, group, resource, subresource, namespace, name });
  }

  #check(user: User, access: Access): void {
    checkAccess(this.#services.authorizer, user, access);
  }
}
