import { type LabelKeySet, Requirements, type Vocabulary } from '@karpenter/core/requirements';
import { awsLabelKeys } from '../names/index.ts';
import type { AmiStatus } from '../node-class/index.ts';

/** Of an instance type or of labels, in the same vocabulary as its requirements. */
interface Comparison {
  readonly vocabulary: Vocabulary;
  readonly wellKnown: LabelKeySet;
}

/** Which of the images of a class an instance is started from: the first that is for such instances. */
export class ImageMatch {
  readonly #images: readonly { readonly image: AmiStatus; readonly requirements: Requirements }[];
  readonly #wellKnown: LabelKeySet;

  constructor(images: readonly AmiStatus[], { vocabulary, wellKnown }: Comparison) {
    this.#wellKnown = wellKnown;
    this.#images = images.map((image) => ({
      image,
      requirements: Requirements.fromItems(vocabulary, image.requirements),
    }));
  }

  /** All that would do, the one that is taken first. */
  of(instance: Requirements): readonly AmiStatus[] {
    return this.#images
      .filter(({ requirements }) => instance.compatible(requirements, this.#wellKnown))
      .map(({ image }) => image);
  }
}

const devices: ReadonlySet<string> = new Set([awsLabelKeys.gpuCount, awsLabelKeys.acceleratorCount]);

/** Not one of those that bring drivers along and need larger disks for them. */
export function isStandard({ requirements }: AmiStatus): boolean {
  return !requirements.some(({ key, operator }) => devices.has(key) && operator !== 'DoesNotExist');
}
