import type { Tag } from '@aws-sdk/client-ec2';
import type { InstanceProfile } from '@aws-sdk/client-iam';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { errorText, isAlreadyExists, isNotFound } from '../aws-errors/index.ts';
import { ExpiringMap } from '../caching/index.ts';
import { cacheLifetimes } from '../names/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { Iam } from '../ports/index.ts';
import { ec2Tags } from '../tags/index.ts';
import {
  isIamName,
  legacyProfileName,
  type ProfileOwner,
  profileName,
  profilePath,
  profileTags,
  roleName,
} from './profile-names.ts';

export interface ProfileProviderOptions extends ProfileOwner {
  readonly iam: Omit<Iam, 'getRole'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a different text each time, for profile names. */
  readonly unique: () => string;
}

interface NewProfile {
  readonly name: string;
  readonly role: string;
  readonly path: string;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * Creates instance profiles for the roles of EC2NodeClasses,
 * and protects those that may be in use from collection.
 */
export class InstanceProfileProvider {
  readonly #options: ProfileProviderOptions;
  readonly #profiles: ExpiringMap<string, InstanceProfile>;
  readonly #missingRoles: ExpiringMap<string, CodedError>;
  /**
   * Last profile created per role and class, in case the
   * write of the status was lost: it would be created twice.
   */
  readonly #created: ExpiringMap<string, string>;
  readonly #protected: ExpiringMap<string, true>;

  constructor(options: ProfileProviderOptions) {
    const { clock } = options;
    this.#options = options;
    this.#profiles = new ExpiringMap({ clock, lifetime: cacheLifetimes.instanceProfile });
    this.#missingRoles = new ExpiringMap({ clock, lifetime: cacheLifetimes.missingRole });
    this.#created = new ExpiringMap({ clock, lifetime: cacheLifetimes.instanceProfileRecreation });
    this.#protected = new ExpiringMap({ clock, lifetime: cacheLifetimes.instanceProfileProtection });
  }

  /**
   * Whether a profile was created or replaced lately, so
   * that NodeClaims may use it before they are annotated.
   */
  isProtected(name: string): boolean {
    return this.#protected.has(name);
  }

  /** Returns the profile for `status.instanceProfile`. Never changes one that the user names in the spec. */
  async resolve(nodeClass: EC2NodeClass): Promise<string> {
    const { spec, status, metadata } = nodeClass;
    const current = status?.instanceProfile;
    if (spec.instanceProfile !== undefined) {
      if (current !== undefined && current !== spec.instanceProfile) this.#protected.set(current, true);
      return spec.instanceProfile;
    }
    const role = spec.role ?? '';
    const key = `${role} ${metadata.uid ?? ''}`;
    const candidate = this.#created.get(key) ?? current;
    if (candidate !== undefined && (await this.#hasRole(candidate, role))) return candidate;
    if (candidate !== undefined) this.#protected.set(candidate, true);
    const created = await this.#createFor(nodeClass, role);
    this.#created.set(key, created);
    return created;
  }

  /** Lists the names of the cluster's profiles, or of one class's. */
  async list(classUid?: string): Promise<readonly string[]> {
    const names: string[] = [];
    let marker: string | undefined;
    do {
      const page = await this.#options.iam.listInstanceProfiles({
        PathPrefix: profilePath(this.#options, classUid),
        ...(marker !== undefined && { Marker: marker }),
      });
      names.push(...(page.InstanceProfiles ?? []).flatMap(({ InstanceProfileName: name }) => name ?? []));
      marker = page.IsTruncated === true ? page.Marker : undefined;
    } while (marker !== undefined);
    return names;
  }

  /**
   * Deletes a profile if it exists. Removes its role first,
   * because IAM refuses to delete a profile with a role.
   */
  async delete(name: string): Promise<void> {
    const profile = await this.#get(name);
    if (profile === undefined) return;
    const { iam, log } = this.#options;
    for (const { RoleName: role } of profile.Roles ?? []) {
      await iam.removeRoleFromInstanceProfile({ InstanceProfileName: name, RoleName: role });
    }
    try {
      await iam.deleteInstanceProfile({ InstanceProfileName: name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#profiles.delete(name);
    this.#protected.delete(name);
    log.debug('deleted instance profile', { 'instance-profile': name });
  }

  /** Deletes all profiles of a class that is being deleted, including the one named by older releases. */
  async deleteAll({ metadata }: EC2NodeClass): Promise<void> {
    const legacy = legacyProfileName(this.#options, metadata.name);
    const names = [...(await this.list(metadata.uid)), ...(isIamName(legacy) ? [legacy] : [])];
    for (const name of names) await this.delete(name);
  }

  async #hasRole(name: string, role: string): Promise<boolean> {
    const profile = this.#profiles.get(name) ?? (await this.#get(name));
    if (profile === undefined) return false;
    this.#profiles.set(name, profile);
    const [attached] = profile.Roles ?? [];
    return attached?.RoleName !== undefined && roleName(attached.RoleName) === roleName(role);
  }

  async #get(name: string): Promise<InstanceProfile | undefined> {
    try {
      return (await this.#options.iam.getInstanceProfile({ InstanceProfileName: name })).InstanceProfile;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #createFor({ metadata, spec }: EC2NodeClass, role: string): Promise<string> {
    const missing = this.#missingRoles.get(roleName(role));
    if (missing !== undefined) throw missing;
    const name = profileName(this.#options, metadata.name, this.#options.unique());
    const profile: NewProfile = {
      name,
      role: roleName(role),
      path: profilePath(this.#options, metadata.uid),
      tags: profileTags(this.#options, metadata.name, spec.tags),
    };
    // Before it exists: a collection that runs meanwhile would find a profile that nothing uses.
    this.#protected.set(name, true);
    try {
      await this.#create(profile);
    } catch (error) {
      // Do not leave a profile without a role behind: the name is unique, so no retry would find it.
      await this.#deleteQuietly(name);
      throw this.#explained(error, profile);
    }
    this.#protected.set(name, true);
    return name;
  }

  async #create({ name, role, path, tags }: NewProfile): Promise<void> {
    const { iam } = this.#options;
    try {
      await iam.createInstanceProfile({
        InstanceProfileName: name,
        Path: path,
        Tags: ec2Tags(tags).map(iamTag),
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const [attached] = (await this.#get(name))?.Roles ?? [];
    if (attached?.RoleName === role) return;
    if (attached !== undefined) {
      await iam.removeRoleFromInstanceProfile({ InstanceProfileName: name, RoleName: attached.RoleName });
    }
    await iam.addRoleToInstanceProfile({ InstanceProfileName: name, RoleName: role });
    this.#profiles.delete(name);
  }

  /** Caches the error of a missing role, so that a retry does not create and delete a profile each time. */
  #explained(error: unknown, { role }: NewProfile): unknown {
    if (!isNotFound(error) || !/role/i.test(errorText(error))) return error;
    const explained = new CodedError(
      'unresolved-node-class',
      `cannot make an instance profile: role ${role} does not exist; create it or correct spec.role`,
      { details: { role }, cause: error },
    );
    this.#missingRoles.set(role, explained);
    return explained;
  }

  async #deleteQuietly(name: string): Promise<void> {
    try {
      await this.delete(name);
    } catch (error) {
      this.#options.log.error('failed to delete an instance profile that was not completed', {
        'instance-profile': name,
        error: errorText(error),
      });
    }
  }
}

function iamTag({ Key = '', Value = '' }: Tag) {
  return { Key, Value };
}
