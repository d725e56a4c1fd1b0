import type { Me } from '../../api/queries.ts'
import type { IconName } from '../../ui/icon.tsx'

type Screen = { name: string; path: string; icon: IconName; area: string }

/** Screens in the order of the navigation. `area`: the part of the back-office that a role opens. */
export const screens = [
  { name: 'dashboard', path: '/', icon: 'home', area: 'dashboard' },
  { name: 'queue', path: '/queue', icon: 'inbox', area: 'publications' },
  { name: 'duplicates', path: '/duplicates', icon: 'copies', area: 'publications' },
  { name: 'reports', path: '/reports', icon: 'flag', area: 'publications' },
  { name: 'publications', path: '/publications', icon: 'list', area: 'publications' },
  { name: 'claims', path: '/claims', icon: 'claim', area: 'claims' },
  { name: 'acteurs', path: '/acteurs', icon: 'shop', area: 'acteurs' },
  { name: 'alertes', path: '/alertes', icon: 'bell', area: 'alertes' },
  { name: 'communes', path: '/communes', icon: 'place', area: 'communes' },
  { name: 'messages', path: '/messages', icon: 'mail', area: 'messages' },
  { name: 'defibrillateurs', path: '/defibrillateurs', icon: 'heart', area: 'defibrillateurs' },
  { name: 'imports', path: '/imports', icon: 'download', area: 'import-sources' },
  { name: 'users', path: '/users', icon: 'users', area: 'users' },
  { name: 'mails', path: '/mails', icon: 'mail', area: 'mails' },
  { name: 'audit', path: '/audit', icon: 'history', area: 'audit' },
  { name: 'people', path: '/people', icon: 'user', area: 'privacy' },
  { name: 'system', path: '/system', icon: 'shield', area: 'system' },
  { name: 'subscriptions', path: '/subscriptions', icon: 'card', area: 'subscriptions' },
] as const satisfies readonly Screen[]

/** Screens that a permission for an acteur opens, not a role. */
const own = { name: 'mine', path: '/publications/mine', icon: 'list', area: 'write' } as const
const writing = { name: 'write', path: '/publications/new', icon: 'edit', area: 'write' } as const

/** Screens that only the palette and the system page lead to. */
const inPalette = [
  { name: 'types', path: '/system/types', icon: 'list', area: 'reference' },
  { name: 'sources', path: '/system/sources', icon: 'screen', area: 'reference' },
] as const satisfies readonly Screen[]

export const screensFor = (me: Me) => screens.filter(({ area }) => me.areas.includes(area))

/** Returns the screens of the palette. The navigation omits `mine` and `write` for users with the list of all. */
export const commandScreensFor = (me: Me) => [
  ...screensFor(me),
  ...writingFor(me),
  ...inPalette.filter(({ area }) => me.areas.includes(area)),
]
export const navigationFor = (me: Me) =>
  me.areas.includes('publications') ? screensFor(me) : [...screensFor(me), ...writingFor(me)]

const writingFor = (me: Me) => [...(hasOwn(me) ? [own] : []), ...(canWrite(me) ? [writing] : [])]

/** Returns the acteurs for which the user may publish. */
export const writableActeurs = ({ acteurs }: Me) =>
  acteurs.filter(({ role, permissions }) => role === 'owner' || permissions.includes('manage_publications'))

/** Whether the user may publish for every acteur: the `acteurs` area is for administrators only. */
export const canWriteForAll = ({ areas }: Me) => areas.includes('acteurs')

/** Whether the user may publish for an acteur of their own. */
export const hasOwn = (me: Me) => writableActeurs(me).length > 0

/** Whether the list of own publications is the user's only one. */
export const startsWithOwn = (me: Me) => hasOwn(me) && !me.areas.includes('publications')

export const canWrite = (me: Me) => canWriteForAll(me) || hasOwn(me)
