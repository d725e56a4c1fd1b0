import type { Me } from '../api/queries.ts'
import type { IconName } from '../ui/icon.tsx'

type Screen = { name: string; path: string; icon: IconName; area: string }

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
] as const satisfies readonly Screen[]

/** Opened by what somebody may do for an acteur, not by a role. */
const writing = { name: 'write', path: '/publications/new', icon: 'edit', area: 'write' } as const

export const screensFor = (me: Me) => screens.filter(({ area }) => me.areas.includes(area))

/** The palette leads everybody who may write there; the navigation only those who have no list with a button. */
export const commandScreensFor = (me: Me) => [...screensFor(me), ...(canWrite(me) ? [writing] : [])]
export const navigationFor = (me: Me) =>
  me.areas.includes('publications') ? screensFor(me) : commandScreensFor(me)

/** Acteurs for which a member may publish. */
export const writableActeurs = ({ acteurs }: Me) =>
  acteurs.filter(({ role, permissions }) => role === 'owner' || permissions.includes('manage_publications'))

/** Who opens the acteurs administers them, and may publish for each. */
export const canWriteForAll = ({ areas }: Me) => areas.includes('acteurs')

export const canWrite = (me: Me) => canWriteForAll(me) || writableActeurs(me).length > 0
