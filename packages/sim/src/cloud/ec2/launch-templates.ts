import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import { invalidParameterValue, missingParameter, Refusal } from '../calls/refusal.ts';
import { resourceId } from '../world/identifiers.ts';
import { specifiedTags, tagList } from '../world/tags.ts';
import type { CloudWorld, LaunchTemplate } from '../world/world.ts';
import { refuseDryRun } from './dry-run.ts';
import { type FilterFields, matching } from './filters.ts';
import { malformedUserData, templateNotFound, templateOf, userDataTooLarge } from './launch-spec.ts';
import { pageOf, sequenceKey } from './paging.ts';
import type { InputOf, ItemOf, OutputOf } from './shapes.ts';

type Described = ItemOf<OutputOf<'describeLaunchTemplates'>['LaunchTemplates']>;

type VersionData = ItemOf<
  OutputOf<'describeLaunchTemplateVersions'>['LaunchTemplateVersions']
>['LaunchTemplateData'];

export interface LaunchTemplatesOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly saved?: SavedTemplateCount | undefined;
}

export interface SavedTemplateCount {
  /** How many templates were ever created. Never reused, because pages are ordered by it. */
  readonly sequence: number;
}

const fields: FilterFields<LaunchTemplate> = {
  'launch-template-name': ({ name }) => name,
  'create-time': ({ createdAt }) => new Date(createdAt).toISOString(),
};

/** The template names that EC2 accepts. */
const namePattern = /^[a-zA-Z0-9().\-/_]{3,128}$/;

/** The launch template calls. */
export class LaunchTemplates {
  readonly #options: LaunchTemplatesOptions;
  #sequence: number;

  constructor(options: LaunchTemplatesOptions) {
    this.#options = options;
    this.#sequence = options.saved?.sequence ?? 0;
  }

  save(): SavedTemplateCount {
    return { sequence: this.#sequence };
  }

  /** A repeated client token returns the template it created, as EC2 does. */
  create(input: InputOf<'createLaunchTemplate'>, token: string): OutputOf<'createLaunchTemplate'> {
    const clientToken = input.ClientToken ?? token;
    const repeated = this.#all().find((template) => template.clientToken === clientToken);
    if (repeated !== undefined) return { LaunchTemplate: this.#describe(repeated) };
    const { name, data } = this.#checked(input);
    refuseDryRun(input.DryRun);
    const { world, clock, chance } = this.#options;
    this.#sequence += 1;
    const template: LaunchTemplate = {
      id: resourceId('lt', chance),
      name,
      sequence: this.#sequence,
      createdAt: clock.now(),
      data,
      clientToken,
      tags: specifiedTags(input.TagSpecifications, 'launch-template'),
    };
    world.launchTemplates.set(template.id, template);
    return { LaunchTemplate: this.#describe(template) };
  }

  delete(input: InputOf<'deleteLaunchTemplate'>): object {
    const { world } = this.#options;
    const template = templateOf(world, input);
    refuseDryRun(input.DryRun);
    world.launchTemplates.delete(template.id);
    return { LaunchTemplate: this.#describe(template) };
  }

  describe(input: InputOf<'describeLaunchTemplates'>): OutputOf<'describeLaunchTemplates'> {
    refuseDryRun(input.DryRun);
    const { LaunchTemplateIds: ids, LaunchTemplateNames: names } = input;
    const all = this.#all();
    for (const id of ids ?? []) if (!all.some((each) => each.id === id)) throw templateNotFound({ id });
    for (const name of names ?? []) if (!all.some((each) => each.name === name)) throw notFoundByName();
    const selected = all.filter(
      ({ id, name }) =>
        (ids === undefined || ids.includes(id)) && (names === undefined || names.includes(name)),
    );
    const { items, NextToken } = pageOf(
      matching(selected, input.Filters, fields),
      ({ sequence }) => sequenceKey(sequence),
      input,
      { min: 1, max: 200 },
    );
    return { LaunchTemplates: items.map((template) => this.#describe(template)), NextToken };
  }

  /** Every template has exactly one version. */
  describeVersions(
    input: InputOf<'describeLaunchTemplateVersions'>,
  ): OutputOf<'describeLaunchTemplateVersions'> {
    refuseDryRun(input.DryRun);
    const { LaunchTemplateId, LaunchTemplateName, Versions = [] } = input;
    const reference = { LaunchTemplateId, LaunchTemplateName };
    const { id, name, data, createdAt } = templateOf(this.#options.world, reference);
    for (const Version of Versions) templateOf(this.#options.world, { ...reference, Version });
    const version = {
      LaunchTemplateId: id,
      LaunchTemplateName: name,
      VersionNumber: 1,
      DefaultVersion: true,
      CreateTime: new Date(createdAt),
      LaunchTemplateData: structuredClone(data) as VersionData,
    };
    return { LaunchTemplateVersions: [version] };
  }

  #all(): readonly LaunchTemplate[] {
    return [...this.#options.world.launchTemplates.values()];
  }

  #checked({ LaunchTemplateName: name, LaunchTemplateData: data }: InputOf<'createLaunchTemplate'>) {
    if (name === undefined) throw missingParameter('LaunchTemplateName');
    if (data === undefined) throw missingParameter('LaunchTemplateData');
    if (!namePattern.test(name)) {
      throw new Refusal(
        'InvalidLaunchTemplateName.MalformedException',
        'Launch template names must be between 3 and 128 characters in length, and may contain letters, numbers, and the following characters: - ( ) . / _',
      );
    }
    if (this.#all().some((template) => template.name === name)) {
      throw new Refusal(
        'InvalidLaunchTemplateName.AlreadyExistsException',
        'Launch template name already in use.',
      );
    }
    const refusal = malformedUserData(data.UserData) ?? userDataTooLarge(data.UserData) ?? emptyData(data);
    if (refusal !== undefined) throw refusal;
    return { name, data: structuredClone(data) };
  }

  #describe({ id, name, createdAt, tags }: LaunchTemplate): Described {
    return {
      LaunchTemplateId: id,
      LaunchTemplateName: name,
      CreateTime: new Date(createdAt),
      CreatedBy: this.#options.world.callerArn,
      DefaultVersionNumber: 1,
      LatestVersionNumber: 1,
      Tags: tagList(tags),
    };
  }
}

function emptyData(data: object): Refusal | undefined {
  return Object.keys(data).length === 0
    ? invalidParameterValue('You must specify at least one launch template data parameter.')
    : undefined;
}

/** When describing by name, EC2 does not say which name is unknown. */
function notFoundByName(): Refusal {
  return new Refusal(
    'InvalidLaunchTemplateName.NotFoundException',
    'At least one of the launch templates specified in the request does not exist.',
  );
}
