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

/** Screen of the acteurs that the user is a member of: a membership opens it, not a role. */
const espace = { name: 'espace', path: '/espace', icon: 'hall', area: 'own' } as const
const writing = { name: 'write', path: '/publications/new', icon: 'edit', area: 'write' } as const

/** Screens that only the palette and the system page lead to. */
const inPalette = [
  { name: 'types', path: '/system/types', icon: 'list', area: 'reference' },
  { name: 'sources', path: '/system/sources', icon: 'screen', area: 'reference' },
] as const satisfies readonly Screen[]

export const screensFor = (me: Me) => screens.filter(({ area }) => me.areas.includes(area))

/** Returns the screens of the navigation: for users without a role, those of their acteurs first. */
export const navigationFor = (me: Me) =>
  startsInEspace(me) ? [espace, ...screensFor(me)] : [...screensFor(me), ...(hasEspace(me) ? [espace] : [])]

/** Returns the screens of the palette, which offers more of them than the navigation. */
export const commandScreensFor = (me: Me) => [
  ...navigationFor(me),
  ...(canWriteForAll(me) ? [writing] : []),
  ...inPalette.filter(({ area }) => me.areas.includes(area)),
]

/** Whether the user may publish for every acteur: the `acteurs` area is for administrators only. */
export const canWriteForAll = ({ areas }: Me) => areas.includes('acteurs')

/** Returns the id of the first acteur for which the user may publish; undefined if there is none. */
export const findWritable = ({ acteurs }: Me) =>
  acteurs.find(({ role, permissions }) => role === 'owner' || permissions.includes('manage_publications'))
    ?.acteur_id

const hasEspace = ({ acteurs }: Me) => acteurs.length > 0

/** Whether no role opens a screen: the user works for acteurs only, or waits for one. */
export const startsInEspace = ({ areas }: Me) => areas.length === 0
