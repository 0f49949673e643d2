/**
 * Instance types compiled for comparison with requirements, and the offerings of them that a launch may use.
 * Pure. Start with launchable-type.ts.
 */

export { imageFinder } from './image-for-type.ts';
export {
  type Catalogue,
  capacityOf,
  catalogueOf,
  type LaunchableOffering,
  type LaunchableType,
  onlyValue,
  type ReservationOffer,
} from './launchable-type.ts';
export {
  type CatalogueRequirements,
  cheapestPrice,
  chosenOfferings,
  isCompatible,
  isCompatibleType,
  lowestPrice,
  openOfferings,
} from './offering-choice.ts';
