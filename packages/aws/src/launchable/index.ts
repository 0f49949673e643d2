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
export { cheapestPrice, isWanted, offeringsSoldAs, openOfferings, type Wanted } from './offering-choice.ts';
