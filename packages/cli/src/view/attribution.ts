/** Packages of others that this command line runs with, and their licences. A test compares them with package.json. */
export const thirdPartyPackages: Readonly<Record<string, string>> = {
  '@aws-sdk/client-auto-scaling': 'Apache-2.0',
  '@aws-sdk/client-ec2': 'Apache-2.0',
  '@aws-sdk/client-eks': 'Apache-2.0',
  '@aws-sdk/client-iam': 'Apache-2.0',
  '@aws-sdk/client-pricing': 'Apache-2.0',
  '@aws-sdk/client-sqs': 'Apache-2.0',
  '@aws-sdk/client-ssm': 'Apache-2.0',
  '@aws-sdk/client-sts': 'Apache-2.0',
  '@kubernetes/client-node': 'Apache-2.0',
  '@marcbachmann/cel-js': 'MIT',
  '@smithy/core': 'Apache-2.0',
  '@smithy/signature-v4': 'Apache-2.0',
  '@smithy/types': 'Apache-2.0',
  '@tanstack/react-virtual': 'MIT',
  commander: 'MIT',
  'kubernetes-types': 'Apache-2.0',
  react: 'MIT',
  'react-dom': 'MIT',
  re2js: 'MIT',
  'smol-toml': 'BSD-3-Clause',
  uplot: 'MIT',
  ws: 'MIT',
  yaml: 'ISC',
};

/** What `--attribution` prints. */
export function thirdPartyNotices(): string {
  const packages = Object.entries(thirdPartyPackages).map(([name, licence]) => `  ${name}  ${licence}\n`);
  return `Karpenter TS is licensed under Apache-2.0. It uses these packages and their dependencies:\n${packages.join('')}Their licence texts are in node_modules.\n`;
}
