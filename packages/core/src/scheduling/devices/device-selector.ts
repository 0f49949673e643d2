import type { DeviceView } from '../../ports/index.ts';
import type { Device } from './device.ts';

/** What a selector may look at. */
export interface SelectableDevice
  extends Pick<DeviceView, 'attributes' | 'capacity' | 'allowMultipleAllocations'> {
  readonly driver: string;
}

/** Whether a device is one of those asked for; or what went wrong, which ends all allocation. */
export type SelectorAnswer = boolean | SelectorFailure;

export interface SelectorFailure {
  readonly error: string;
}

/** Port: how an expression in CEL is read. One that is not CEL fails for every device. */
export type ReadSelector = (expression: string) => (device: SelectableDevice) => SelectorAnswer;

/** Asks each expression of each device once. */
export class DeviceSelectors {
  readonly #read: ReadSelector;
  readonly #selectors = new Map<string, (device: SelectableDevice) => SelectorAnswer>();
  readonly #answers = new Map<string, Map<DeviceView, SelectorAnswer>>();

  constructor(read: ReadSelector) {
    this.#read = read;
  }

  /** Whether all of them select the device; those after one that does not are not asked. */
  select(expressions: readonly string[], device: Device): SelectorAnswer {
    for (const expression of expressions) {
      const answer = this.#answer(expression, device);
      if (answer !== true) return answer;
    }
    return true;
  }

  #answer(expression: string, { view, driver }: Device): SelectorAnswer {
    const answers = this.#answers.get(expression) ?? new Map<DeviceView, SelectorAnswer>();
    this.#answers.set(expression, answers);
    const known = answers.get(view);
    if (known !== undefined) return known;
    const answer = this.#selector(expression)({ ...view, driver });
    answers.set(view, answer);
    return answer;
  }

  #selector(expression: string): (device: SelectableDevice) => SelectorAnswer {
    const known = this.#selectors.get(expression);
    if (known !== undefined) return known;
    const read = this.#read(expression);
    this.#selectors.set(expression, read);
    return read;
  }
}
