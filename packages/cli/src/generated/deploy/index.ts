// What an account needs before the controller runs, written as a CloudFormation template and as a Terraform module from
// one description (`@karpenter/aws/iam-policies`). Touches no disk. Start reading at `cloudformation.ts`.

import type { GeneratedFile } from '../generated-file.ts';
import { cloudFormationTemplate } from './cloudformation.ts';
import { terraformModule } from './terraform.ts';

export function deployFiles(): readonly GeneratedFile[] {
  return [cloudFormationTemplate(), ...terraformModule()];
}
