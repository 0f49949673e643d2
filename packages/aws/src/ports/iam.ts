import type {
  AddRoleToInstanceProfileCommandInput,
  CreateInstanceProfileCommandInput,
  CreateInstanceProfileCommandOutput,
  DeleteInstanceProfileCommandInput,
  GetInstanceProfileCommandInput,
  GetInstanceProfileCommandOutput,
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
  listInstanceProfiles: Call<ListInstanceProfilesCommandInput, ListInstanceProfilesCommandOutput>;
  removeRoleFromInstanceProfile: Call<RemoveRoleFromInstanceProfileCommandInput, unknown>;
  tagInstanceProfile: Call<TagInstanceProfileCommandInput, unknown>;
}
