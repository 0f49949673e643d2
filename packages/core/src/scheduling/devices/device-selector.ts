import type { DeviceView } from '../../ports/index.ts';
import type { Device } from './device.ts';

/** What a selector can read of a device. */
export interface SelectableDevice
  extends Pick<DeviceView, 'attributes' | 'capacity' | 'allowMultipleAllocations'> {
  readonly driver: string;
}

/** Whether the selector matches the device, or its failure, which ends the allocation. */
export type SelectorAnswer = boolean | SelectorFailure;

interface SelectorFailure {
  readonly error: string;
}

/** Port: compiles a CEL expression. An invalid expression gives a failure for every device. */
export type ReadSelector = (expression: string) => (device: SelectableDevice) => SelectorAnswer;

/** Evaluates each expression for each device once: a plan asks for the same few many times. */
export class DeviceSelectors {
  readonly #read: ReadSelector;
  readonly #selectors = new Map<string, (device: SelectableDevice) => SelectorAnswer>();
  readonly #answers = new Map<string, Map<DeviceView, SelectorAnswer>>();

  constructor(read: ReadSelector) {
    this.#read = read;
  }

  /** Whether all expressions match the device; ends at the first that does not. */
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
