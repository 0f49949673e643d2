import { randomUUID } from 'node:crypto';
import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission/admission.ts';
import { userInfo } from '../auth/index.ts';
import { objectOf } from '../lenient-json.ts';
import { applyJsonPatch } from '../patch/index.ts';
import { messageOf, StatusError } from '../status/status-error.ts';
import type { Store } from '../store/index.ts';
import { conditionsHold } from './match-conditions.ts';
import { UnreachableWebhook, type WebhookClient } from './webhook-client.ts';
import { matchesWrite } from './webhook-rules.ts';

const defaultTimeoutSeconds = 10;

/** Webhooks are not called for webhook configurations: a broken one could otherwise never be removed. */
const exempt = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);

interface Response {
  readonly allowed: boolean;
  readonly message: string;
  readonly code: number;
  readonly patch: readonly Json[];
  readonly warnings: readonly string[];
}

/**
 * Calls the admission webhooks of the cluster's configurations: mutating ones in order, validating ones
 * concurrently.
 */
export class WebhookAdmission implements AdmissionPlugin {
  readonly #store: Store;
  readonly #client: WebhookClient;

  constructor(store: Store, client: WebhookClient) {
    this.#store = store;
    this.#client = client;
  }

  mutate(
    attributes: AdmissionAttributes & { readonly object: JsonObject },
  ): Promise<JsonObject> | JsonObject {
    const matching = this.#webhooks('mutatingwebhookconfigurations', attributes);
    return matching.length === 0 ? attributes.object : this.#mutated(matching, attributes);
  }

  async #mutated(
    matching: readonly JsonObject[],
    attributes: AdmissionAttributes & { readonly object: JsonObject },
  ): Promise<JsonObject> {
    let { object } = attributes;
    for (const webhook of matching) {
      const response = await this.#review(webhook, { ...attributes, object });
      if (response === undefined || response.patch.length === 0) continue;
      const patched = applyJsonPatch(object, response.patch);
      if (isJsonObject(patched)) object = patched;
    }
    return object;
  }

  validate(attributes: AdmissionAttributes): Promise<void> | void {
    const matching = this.#webhooks('validatingwebhookconfigurations', attributes);
    if (matching.length > 0) return this.#reviewAll(matching, attributes);
  }

  async #reviewAll(matching: readonly JsonObject[], attributes: AdmissionAttributes): Promise<void> {
    await Promise.all(matching.map((webhook) => this.#review(webhook, attributes)));
  }

  #webhooks(plural: string, attributes: AdmissionAttributes): readonly JsonObject[] {
    const configurations = this.#store.list(`${plural}.admissionregistration.k8s.io`);
    if (configurations.length === 0 || exempt.has(attributes.kind.kind)) return [];
    const namespace = this.#namespaceOf(attributes);
    return configurations
      .flatMap(({ object }) => webhooksOf(object))
      .filter(
        (webhook) => matchesWrite(webhook, attributes, namespace) && conditionsHold(webhook, attributes),
      );
  }

  #namespaceOf({ kind, namespace, name, object, oldObject }: AdmissionAttributes): JsonObject | undefined {
    if (kind.kind === 'Namespace')
      return object ?? oldObject ?? this.#store.get('namespaces', '', name)?.object;
    return kind.namespaced ? this.#store.get('namespaces', '', namespace)?.object : undefined;
  }

  /** Throws when the webhook denies the write; undefined when the call failed and failurePolicy is Ignore. */
  async #review(webhook: JsonObject, attributes: AdmissionAttributes): Promise<Response | undefined> {
    const name = String(webhook['name']);
    const response = await this.#call(webhook, attributes, name);
    for (const warning of response?.warnings ?? []) attributes.warn(warning);
    if (response === undefined || response.allowed) return response;
    throw new StatusError(
      response.code,
      'Forbidden',
      `admission webhook "${name}" denied the request${response.message === '' ? ' without explanation' : `: ${response.message}`}`,
    );
  }

  async #call(
    webhook: JsonObject,
    attributes: AdmissionAttributes,
    name: string,
  ): Promise<Response | undefined> {
    const clientConfig = webhook['clientConfig'];
    const seconds = Number(webhook['timeoutSeconds'] ?? defaultTimeoutSeconds);
    const uid = randomUUID();
    try {
      const reply = await this.#client.call({
        clientConfig: objectOf(clientConfig),
        body: review(uid, attributes),
        timeoutMs: seconds * 1000,
      });
      return responseOf(reply, uid);
    } catch (error) {
      if (webhook['failurePolicy'] === 'Ignore') return undefined;
      const why =
        error instanceof UnreachableWebhook ? `failed to call webhook: ${error.message}` : messageOf(error);
      throw new StatusError(
        500,
        'InternalError',
        `Internal error occurred: failed calling webhook "${name}": ${why}`,
      );
    }
  }
}

function webhooksOf(configuration: JsonObject): readonly JsonObject[] {
  const { webhooks } = configuration;
  return webhooks !== undefined && isJsonArray(webhooks) ? webhooks.filter(isJsonObject) : [];
}

function review(uid: string, attributes: AdmissionAttributes): JsonObject {
  const { operation, kind, subresource, namespace, name, object, oldObject, user, dryRun } = attributes;
  const resource = { group: kind.group, version: kind.version, resource: kind.plural };
  const groupKind = { group: kind.group, version: kind.version, kind: kind.kind };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid,
      kind: groupKind,
      resource,
      requestKind: groupKind,
      requestResource: resource,
      ...(subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource }),
      name,
      ...(namespace === '' ? {} : { namespace }),
      operation,
      userInfo: userInfo(user),
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun,
      options: null,
    },
  };
}

function responseOf(reply: JsonObject, uid: string): Response {
  const { response } = reply;
  if (member(response, 'uid') !== uid)
    throw new Error('the response is not to this request: its uid differs');
  const status = member(response, 'status');
  const code = member(status, 'code');
  return {
    allowed: member(response, 'allowed') === true,
    message: String(member(status, 'message') ?? member(status, 'reason') ?? ''),
    code: isFailureCode(code) ? code : 403,
    patch: patchOf(response),
    warnings: textsOf(member(response, 'warnings')),
  };
}

/** A denial with a success code would look like success to the client; such a code becomes 403. */
function isFailureCode(code: Json | undefined): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600;
}

function textsOf(value: Json | undefined): readonly string[] {
  return value !== undefined && isJsonArray(value) ? value.map(String) : [];
}

function patchOf(response: Json | undefined): readonly Json[] {
  const patch = member(response, 'patch');
  if (typeof patch !== 'string' || patch === '') return [];
  const operations: Json = JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
  return isJsonArray(operations) ? operations : [];
}
