/**
 * The frame of the page: top bar, tabs, banners, and the tab with the map. React components; sets the theme,
 * language and title of the document. Start with `page.tsx`.
 */

export { Page } from './page.tsx';
export { PageBoundary } from './page-boundary.tsx';
