/**
 * Conformance cases of the Kubernetes API, which run against the embedded server and the real one. A case
 * sends only HTTP requests, and creates and changes objects on the server under test. Start with `conformance-case.ts`,
 * the contract; each file in `cases` covers one area.
 */
import { accessCases, reviewCases } from './cases/access.ts';
import { applyCases } from './cases/applies.ts';
import { badInputCases } from './cases/bad-input.ts';
import { accountTokenCases, bindingCases, statusCases } from './cases/bindings.ts';
import { createCases } from './cases/creates.ts';
import { definitionCases } from './cases/custom-definitions.ts';
import { customObjectCases } from './cases/custom-objects.ts';
import { customRuleCases } from './cases/custom-rules.ts';
import { customSchemaCases } from './cases/custom-schemas.ts';
import { deleteCases } from './cases/deletes.ts';
import { discoveryCases, openApiCases } from './cases/discovery.ts';
import { encodingCases } from './cases/encoding.ts';
import { eventCases, leaseCases } from './cases/events-and-leases.ts';
import { evictionCases } from './cases/evictions.ts';
import { garbageCases } from './cases/garbage.ts';
import { impersonationCases } from './cases/impersonation.ts';
import { listCases } from './cases/lists.ts';
import { namespaceCases } from './cases/namespaces.ts';
import { patchCases } from './cases/patches.ts';
import { nodeCases, podCases } from './cases/pods-and-nodes.ts';
import { privilegeCases } from './cases/privileges.ts';
import { scaleCases } from './cases/scales.ts';
import { structuralSchemaCases } from './cases/structural-schemas.ts';
import { updateCases } from './cases/updates.ts';
import { viewCases } from './cases/views.ts';
import { watchCases } from './cases/watches.ts';
import { webhookCases } from './cases/webhooks.ts';
import type { ConformanceCase } from './conformance-case.ts';

export { type BegunReply, ConformanceApi, type ServerUnderTest } from './conformance-api.ts';
export type { ConformanceCase } from './conformance-case.ts';

/** Behaviours of every Kubernetes API server on which kubectl, Helm and our controllers rely. */
export const conformanceCases: readonly ConformanceCase[] = [
  // First, because every other case leaves a namespace to delete, and a cluster is slow to delete hundreds.
  ...namespaceCases,
  ...listCases,
  ...watchCases,
  ...createCases,
  ...updateCases,
  ...patchCases,
  ...applyCases,
  ...deleteCases,
  ...scaleCases,
  ...evictionCases,
  ...bindingCases,
  ...accountTokenCases,
  ...statusCases,
  ...definitionCases,
  ...customSchemaCases,
  ...customRuleCases,
  ...customObjectCases,
  ...structuralSchemaCases,
  ...accessCases,
  ...reviewCases,
  ...impersonationCases,
  ...privilegeCases,
  ...viewCases,
  ...discoveryCases,
  ...openApiCases,
  ...encodingCases,
  ...garbageCases,
  ...eventCases,
  ...leaseCases,
  ...podCases,
  ...nodeCases,
  ...webhookCases,
  ...badInputCases,
];
