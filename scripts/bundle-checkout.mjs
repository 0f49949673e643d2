// Bundles the command line of a checkout into the directory that is given: the part of checkout-bundle.mjs that needs much
// memory, as a program.
import { bundle, programs } from './bundler.mjs';

const [directory] = process.argv.slice(2);
try {
  await bundle({ name: 'karpenter', ...programs.karpenter, directory });
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
