// `karpenter migrate`: reads a cluster and an account, plans, prints and runs. What maps to what and how
// groups move is in `@karpenter/aws/migration`, which also makes every change. Start reading at
// `migrate-actions.ts`; `migration-source.ts` reads the old setup.

export {
  type MigrateContext,
  printManifests,
  printReport,
  printSimulation,
  rollBackGroups,
  runGroups,
} from './migrate-actions.ts';
