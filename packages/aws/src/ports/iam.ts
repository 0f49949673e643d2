import type {
  AddRoleToInstanceProfileCommandInput,
  CreateInstanceProfileCommandInput,
  CreateInstanceProfileCommandOutput,
  DeleteInstanceProfileCommandInput,
  GetInstanceProfileCommandInput,
  GetInstanceProfileCommandOutput,
  GetRoleCommandInput,
  GetRoleCommandOutput,
  ListInstanceProfilesCommandInput,
  ListInstanceProfilesCommandOutput,
  RemoveRoleFromInstanceProfileCommandInput,
  TagInstanceProfileCommandInput,
} from '@aws-sdk/client-iam';
import type { Call } from './call.ts';

export interface Iam {
  addRoleToInstanceProfile: Call<AddRoleToInstanceProfileCommandInput, unknown>;
  createInstanceProfile: Call<CreateInstanceProfileCommandInput, CreateInstanceProfileCommandOutput>;
  deleteInstanceProfile: Call<DeleteInstanceProfileCommandInput, unknown>;
  getInstanceProfile: Call<GetInstanceProfileCommandInput, GetInstanceProfileCommandOutput>;
  /** For `karpenter preflight`; the policies of the controller do not allow it. */
  getRole: Call<GetRoleCommandInput, GetRoleCommandOutput>;
  listInstanceProfiles: Call<ListInstanceProfilesCommandInput, ListInstanceProfilesCommandOutput>;
  removeRoleFromInstanceProfile: Call<RemoveRoleFromInstanceProfileCommandInput, unknown>;
  tagInstanceProfile: Call<TagInstanceProfileCommandInput, unknown>;
}
