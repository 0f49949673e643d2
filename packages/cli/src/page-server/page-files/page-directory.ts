import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the built page is: as KARPENTER_PAGE says, which `bin/karpenter` sets for a checkout; beside the program or its
 * parts in a distribution; in the package of the page when the sources run, as in tests.
 */
export function pageDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const { KARPENTER_PAGE: named } = env;
  if (named !== undefined && named !== '') return named;
  const here = import.meta.dirname;
  const built = join(here, '..', '..', '..', '..', 'ui', 'dist-page');
  const candidates = [join(here, 'page'), join(here, '..', 'page'), built];
  return candidates.find((directory) => existsSync(join(directory, 'index.html'))) ?? built;
}
