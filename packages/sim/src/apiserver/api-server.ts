import { CelRuleChecker } from '@karpenter/kube/cel';
import { type Clock, systemClock } from '@karpenter/kube/runtime';
import { AdmissionChain } from './admission/admission.ts';
import { NamespaceLifecycle } from './admission/namespace-lifecycle.ts';
import { DefaultStorageClass, PodAdmission } from './admission/pod-admission.ts';
import { ServiceAccountToken } from './admission/service-account-token.ts';
import { ServiceAddresses } from './admission/service-addresses.ts';
import type { ApiServerParts } from './api-context.ts';
import { Authenticator, authenticated, RbacAuthorizer, RightsEscalation, TokenSigner } from './auth/index.ts';
import { bootstrap } from './bootstrap.ts';
import { EventExpiry } from './collection/event-expiry.ts';
import { GarbageCollector } from './collection/garbage-collector.ts';
import { NamespaceController } from './collection/namespace-controller.ts';
import { RootCertificates } from './collection/root-certificates.ts';
import { ServiceAccountController } from './collection/service-account-controller.ts';
import type { PodContainers } from './containers/index.ts';
import { DefinitionController } from './custom/definition-controller.ts';
import { DefinitionLifecycle } from './custom/definition-lifecycle.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { DiscoveryHandlers } from './handlers/discovery-handlers.ts';
import type { DispatchServices } from './handlers/dispatch.ts';
import { type MetricsSource, noMetrics } from './handlers/metrics.ts';
import { RequestHandler } from './handlers/request-handler.ts';
import { HttpServer } from './http/http-server.ts';
import { type Identity, loadIdentity } from './identity.ts';
import { builtInKinds } from './kinds/built-in-kinds.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { KindRegistry } from './registry/kind-registry.ts';
import { FileJournal, memoryJournal, Store } from './store/index.ts';
import { WatchHub } from './watch/watch-hub.ts';
import { WebhookAdmission } from './webhooks/webhook-admission.ts';
import { type ServiceResolver, WebhookClient } from './webhooks/webhook-client.ts';
import { webhookConverter } from './webhooks/webhook-conversion.ts';
import { RequestWork } from './writes/request-work.ts';

export interface ApiServerOptions {
  /** Defaults to any free port. */
  readonly port?: number;
  /**
   * Directory for the state; without it the state is in memory only. The server locks a path until it stops; a
   * directory that the caller has opened stays the caller's to close.
   */
  readonly dataDir?: string | DataDirectory;
  /** Recovers what is readable in a damaged data directory instead of refusing to start. */
  readonly repair?: boolean;
  /** Called with one message for each thing that a repair could not recover. */
  readonly onNotice?: (message: string) => void;
  readonly clock?: Clock;
  /** Name of the kubeconfig context after the prefix `karpenter-`. Defaults to `dev`. */
  readonly clusterName?: string;
  readonly metrics?: MetricsSource;
  /** Serves log, exec, attach and portforward of pods. Without it these return 501. */
  readonly containers?: PodContainers;
  /** Resolves a service of a webhook configuration to a URL. Without it only webhooks with a `url` work. */
  readonly services?: ServiceResolver;
  /** Called with errors that no reply can report. The server continues after them. */
  readonly onError?: (error: unknown) => void;
}

export interface ApiServer {
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** Bearer token of the administrator, a member of `system:masters`. */
  readonly token: string;
  readonly kubeconfig: string;
  /**
   * Closes all connections, stops the controllers and flushes the store. Later calls return the same promise.
   */
  stop(): Promise<void>;
}

/**
 * Starts a Kubernetes API server in this process and resolves when it accepts requests. On failure it
 * releases everything that it opened, the lock of the data directory included.
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { dataDir } = options;
  if (typeof dataDir !== 'string') return startServer(options, dataDir);
  const directory = await openDataDirectory(dataDir);
  try {
    const server = await startServer(options, directory);
    return { ...server, stop: () => server.stop().finally(() => directory.close()) };
  } catch (error) {
    await directory.close();
    throw error;
  }
}

async function startServer(
  options: ApiServerOptions,
  directory: DataDirectory | undefined,
): Promise<ApiServer> {
  const clock = options.clock ?? systemClock;
  const identity = await loadIdentity(directory, clock.now(), options);
  const store = await openStore(directory, options);
  try {
    return await serve(options, identity, store);
  } catch (error) {
    // A full disk makes the bootstrap fail with whatever error comes first. The storage failure is the cause.
    const failure = await store.failure();
    await store.close().catch(() => undefined);
    throw failure ?? error;
  }
}

async function serve(options: ApiServerOptions, identity: Identity, store: Store): Promise<ApiServer> {
  const clock = options.clock ?? systemClock;
  const onError = options.onError ?? (() => {});
  const webhooks = new WebhookClient(options.services ?? (() => undefined));
  const parts: ApiServerParts = {
    store,
    registry: new KindRegistry(builtInKinds()),
    hub: new WatchHub(store, onError),
    clock,
    onError,
    work: new RequestWork(clock),
    admission: new AdmissionChain([
      // Webhooks come last, as in kube-apiserver: they see every default that the cluster itself sets.
      new NamespaceLifecycle(store),
      new DefinitionLifecycle(store),
      new PodAdmission(store),
      new ServiceAccountToken(store),
      new DefaultStorageClass(store),
      new ServiceAddresses(store),
      new RightsEscalation(new RbacAuthorizer(store)),
      new WebhookAdmission(store, webhooks),
    ]),
  };
  parts.hub.start();
  // Before the server listens, so that the first client finds the namespaces and roles of a cluster.
  await bootstrap(parts);
  const controllers = startControllers(parts, identity, webhooks);
  const handler = new RequestHandler(
    dispatchServices(parts, identity, options),
    new DiscoveryHandlers(parts),
  );
  const server = new HttpServer({
    serving: identity.serving,
    authority: identity.authority.cert,
    handle: (request, response, upgrade) => handler.handle(request, response, upgrade),
  });
  const port = await server.listen(options.port ?? 0);
  const stop = async (): Promise<void> => {
    // Requests end before the controllers, and the store closes last, since both write to it.
    await server.close();
    for (const controller of controllers) await controller.stop();
    parts.hub.close();
    await store.close();
  };
  return running(identity, { port, clusterName: options.clusterName ?? 'dev', stop });
}

interface StoreController {
  start(): void;
  stop(): Promise<void>;
}

/** Creates and starts the controllers in order, because each reads what the ones before it have written. */
function startControllers(
  parts: ApiServerParts,
  { authority }: Identity,
  webhooks: WebhookClient,
): readonly StoreController[] {
  const services = { rules: new CelRuleChecker(), converter: webhookConverter(webhooks) };
  const makers: readonly (() => StoreController)[] = [
    () => new DefinitionController(parts, services),
    () => new GarbageCollector(parts),
    () => new EventExpiry(parts),
    () => new NamespaceController(parts),
    () => new RootCertificates(parts, authority.cert),
    () => new ServiceAccountController(parts),
  ];
  return makers.map((make) => {
    const controller = make();
    controller.start();
    return controller;
  });
}

async function openStore(
  dataDir: DataDirectory | undefined,
  { repair = false, onNotice = () => {}, onError, clock = systemClock }: ApiServerOptions,
): Promise<Store> {
  const options = {
    onListenerError: onError ?? (() => {}),
    now: () => clock.now(),
    // A cluster has thousands of events within an hour, and they are read only for troubleshooting (ADR 0070).
    rarelyRead: ['events'],
  };
  if (dataDir === undefined) return new Store({ ...options, journal: memoryJournal });
  // The journal compacts from the store's entries, but the store is built from the journal. The callback
  // breaks the cycle; the journal does not compact before the store exists.
  let opened: Store | undefined;
  const journal = await dataDir.using(() =>
    FileJournal.open({
      directory: dataDir.path,
      entries: () => opened?.durableEntries() ?? [],
      repair,
      onNotice,
    }),
  );
  opened = new Store({ ...options, journal });
  return opened;
}

function dispatchServices(
  parts: ApiServerParts,
  identity: Identity,
  { metrics = noMetrics, containers }: ApiServerOptions,
): DispatchServices {
  const signer = new TokenSigner(identity.signingKey);
  const administrator = authenticated({ name: 'kubernetes-admin', groups: ['system:masters'] });
  const authenticator = new Authenticator({
    tokens: new Map([[identity.token, administrator]]),
    signer,
    store: parts.store,
    now: () => parts.clock.now(),
  });
  return { parts, signer, authenticator, authorizer: new RbacAuthorizer(parts.store), metrics, containers };
}

function running(
  { token, authority }: Identity,
  { port, clusterName, stop }: Pick<ApiServer, 'port' | 'stop'> & { readonly clusterName: string },
): ApiServer {
  const url = `https://127.0.0.1:${port}`;
  let stopping: Promise<void> | undefined;
  return {
    url,
    port,
    caPem: authority.cert,
    token,
    kubeconfig: kubeconfigText({ url, caPem: authority.cert, token, name: `karpenter-${clusterName}` }),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
