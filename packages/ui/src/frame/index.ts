/** The frame of the page: top bar, tabs, banners, and the tab with the map. Start with `page.tsx`. */

export { Page } from './page.tsx';
export { PageBoundary } from './page-boundary.tsx';
