import type { IconName } from '../ui/icon.tsx'

/** All screens that the navigation leads to, in its order. `area`: the part of the back-office that a role opens. */
export const screens = [
  { name: 'dashboard', path: '/', icon: 'home', area: 'dashboard' },
  { name: 'queue', path: '/queue', icon: 'inbox', area: 'publications' },
  { name: 'duplicates', path: '/duplicates', icon: 'copies', area: 'publications' },
  { name: 'reports', path: '/reports', icon: 'flag', area: 'publications' },
  { name: 'publications', path: '/publications', icon: 'list', area: 'publications' },
  { name: 'claims', path: '/claims', icon: 'claim', area: 'claims' },
  { name: 'alertes', path: '/alertes', icon: 'bell', area: 'alertes' },
  { name: 'users', path: '/users', icon: 'users', area: 'users' },
] as const satisfies readonly { name: string; path: string; icon: IconName; area: string }[]

export const screensFor = (areas: readonly string[]) => screens.filter(({ area }) => areas.includes(area))
