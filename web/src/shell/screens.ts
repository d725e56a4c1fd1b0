import type { Me } from '../api/queries.ts'
import type { IconName } from '../ui/icon.tsx'

type Screen = { name: string; path: string; icon: IconName; area: string }

/** Screens in the order of the navigation. `area`: the part of the back-office that a role opens. */
export const screens = [
  { name: 'dashboard', path: '/', icon: 'home', area: 'dashboard' },
  { name: 'queue', path: '/queue', icon: 'inbox', area: 'publications' },
  { name: 'duplicates', path: '/duplicates', icon: 'copies', area: 'publications' },
  { name: 'reports', path: '/reports', icon: 'flag', area: 'publications' },
  { name: 'publications', path: '/publications', icon: 'list', area: 'publications' },
  { name: 'claims', path: '/claims', icon: 'claim', area: 'claims' },
  { name: 'alertes', path: '/alertes', icon: 'bell', area: 'alertes' },
  { name: 'users', path: '/users', icon: 'users', area: 'users' },
] as const satisfies readonly Screen[]

/** Screen that a permission for an acteur opens, not a role. */
const writing = { name: 'write', path: '/publications/new', icon: 'edit', area: 'write' } as const

export const screensFor = (me: Me) => screens.filter(({ area }) => me.areas.includes(area))

/** Returns the screens of the palette. The navigation omits `write` for users who have it in the list. */
export const commandScreensFor = (me: Me) => [...screensFor(me), ...(canWrite(me) ? [writing] : [])]
export const navigationFor = (me: Me) =>
  me.areas.includes('publications') ? screensFor(me) : commandScreensFor(me)

/** Returns the acteurs for which the user may publish. */
export const writableActeurs = ({ acteurs }: Me) =>
  acteurs.filter(({ role, permissions }) => role === 'owner' || permissions.includes('manage_publications'))

/** Whether the user may publish for every acteur: the `acteurs` area is for administrators only. */
export const canWriteForAll = ({ areas }: Me) => areas.includes('acteurs')

export const canWrite = (me: Me) => canWriteForAll(me) || writableActeurs(me).length > 0
