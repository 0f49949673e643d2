import { accessCases, reviewCases } from './cases/access.ts';
import { namespaceCases } from './cases/namespaces.ts';
import { definitionCases } from './cases/custom-definitions.ts';
import { customObjectCases } from './cases/custom-objects.ts';
import { customRuleCases } from './cases/custom-rules.ts';
import { customSchemaCases } from './cases/custom-schemas.ts';
import { structuralSchemaCases } from './cases/structural-schemas.ts';
import { accountTokenCases, bindingCases, statusCases } from './cases/bindings.ts';
import { evictionCases } from './cases/evictions.ts';
import { scaleCases } from './cases/scales.ts';
import { applyCases } from './cases/applies.ts';
import { createCases } from './cases/creates.ts';
import { deleteCases } from './cases/deletes.ts';
import { listCases } from './cases/lists.ts';
import { patchCases } from './cases/patches.ts';
import { updateCases } from './cases/updates.ts';
import { watchCases } from './cases/watches.ts';
import type { ConformanceCase } from './conformance-case.ts';

export { ConformanceApi, type ServerUnderTest } from './conformance-api.ts';
export type { ConformanceCase } from './conformance-case.ts';

/** What every Kubernetes API server does, as far as kubectl, Helm and our controllers need it. */
export const conformanceCases: readonly ConformanceCase[] = [
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
  ...namespaceCases,
  ...accessCases,
  ...reviewCases,
];
