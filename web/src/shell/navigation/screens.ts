import type { Me } from '../../api/queries.ts'
import type { IconName } from '../../ui/icon.tsx'

type Screen = { name: string; path: string; icon: IconName; area: string }

/** Screens of the moderation queue: one entry of the navigation, whose screen shows the others as tabs. */
export const moderation = [
  { name: 'queue', path: '/queue', icon: 'inbox', area: 'publications' },
  { name: 'reports', path: '/reports', icon: 'flag', area: 'publications' },
  { name: 'duplicates', path: '/duplicates', icon: 'copies', area: 'publications' },
  { name: 'complaints', path: '/complaints', icon: 'shield', area: 'publications' },
] as const satisfies readonly Screen[]

/** Screens in the order of the navigation. `area`: the part of the back-office that a role opens. */
const groups = [
  { name: 'start', screens: [{ name: 'dashboard', path: '/', icon: 'home', area: 'dashboard' }] },
  {
    name: 'waiting',
    screens: [
      moderation[0],
      { name: 'claims', path: '/claims', icon: 'claim', area: 'claims' },
      { name: 'messages', path: '/messages', icon: 'talk', area: 'messages' },
    ],
  },
  {
    name: 'directory',
    screens: [
      { name: 'acteurs', path: '/acteurs', icon: 'shop', area: 'acteurs' },
      { name: 'communes', path: '/communes', icon: 'place', area: 'communes' },
      { name: 'groups', path: '/groups', icon: 'hall', area: 'groups' },
      { name: 'defibrillateurs', path: '/defibrillateurs', icon: 'heart', area: 'defibrillateurs' },
    ],
  },
  {
    name: 'data',
    screens: [
      { name: 'publications', path: '/publications', icon: 'news', area: 'publications' },
      { name: 'alertes', path: '/alertes', icon: 'bell', area: 'alertes' },
      { name: 'acts', path: '/acts', icon: 'document', area: 'acts' },
      { name: 'imports', path: '/imports', icon: 'feed', area: 'import-sources' },
    ],
  },
  {
    name: 'administration',
    screens: [
      { name: 'users', path: '/users', icon: 'users', area: 'users' },
      { name: 'mails', path: '/mails', icon: 'mail', area: 'mails' },
      { name: 'audit', path: '/audit', icon: 'history', area: 'audit' },
      { name: 'people', path: '/people', icon: 'identity', area: 'privacy' },
      { name: 'system', path: '/system', icon: 'server', area: 'system' },
      { name: 'subscriptions', path: '/subscriptions', icon: 'card', area: 'subscriptions' },
    ],
  },
] as const satisfies readonly { name: string; screens: readonly Screen[] }[]

type Listed = (typeof groups)[number]['screens'][number]
type NavigationGroup = {
  name: (typeof groups)[number]['name']
  screens: readonly (Listed | typeof espace)[]
}

/** Screen of the acteurs of which the user is a member or to which they are invited: no role opens it. */
const espace = { name: 'espace', path: '/espace', icon: 'hall', area: 'own' } as const

/** Screens that only the palette and another screen lead to. */
const inPalette = [
  { name: 'activity', path: '/communes/activity', icon: 'history', area: 'communes' },
  { name: 'domains', path: '/domains', icon: 'link', area: 'domains' },
  { name: 'types', path: '/system/types', icon: 'list', area: 'reference' },
  { name: 'sources', path: '/system/sources', icon: 'screen', area: 'reference' },
  { name: 'terms', path: '/system/search-terms', icon: 'search', area: 'reference' },
  { name: 'webhooks', path: '/system/webhooks', icon: 'link', area: 'webhooks' },
] as const satisfies readonly Screen[]

/**
 * Returns the screens that the user's roles open, in groups; empty groups are left out. Users without a role see the screen
 * of their acteurs alone.
 */
export function navigationFor(me: Me): NavigationGroup[] {
  const own = hasEspace(me) || startsInEspace(me) ? [{ name: 'start' as const, screens: [espace] }] : []
  const opened = groups.flatMap(({ name, screens }) => {
    const all: readonly Listed[] = screens
    const open = all.filter(({ area }) => me.areas.includes(area))
    return open.length === 0 ? [] : [{ name, screens: open }]
  })
  return [...opened, ...own]
}

/** Returns the screens of the palette, which offers more of them than the navigation. */
export const commandScreensFor = (me: Me) => [
  ...navigationFor(me).flatMap(({ screens }) => screens),
  ...moderation.slice(1).filter(({ area }) => me.areas.includes(area)),
  ...inPalette.filter(({ area }) => me.areas.includes(area)),
]

/** What a user may add: the screen of each form, or the one that opens it. */
const additions = [
  { name: 'acteur', path: '/acteurs', icon: 'shop', area: 'acteurs' },
  { name: 'group', path: '/groups', icon: 'hall', area: 'groups' },
  { name: 'user', path: '/users', icon: 'user', area: 'users' },
  { name: 'import', path: '/imports/new', icon: 'feed', area: 'import-sources' },
  { name: 'type', path: '/system/types', icon: 'list', area: 'reference' },
  { name: 'source', path: '/system/sources', icon: 'screen', area: 'reference' },
] as const satisfies readonly Screen[]

/** Returns what the palette offers to add: only what the user may. */
export const additionsFor = (me: Me) => [
  ...(canWriteForAll(me) || findWritable(me) !== undefined
    ? [{ name: 'publication', path: '/publications/new', icon: 'edit' } as const]
    : []),
  ...additions.filter(({ area }) => me.areas.includes(area)),
]

/** Whether the user may publish for every acteur: the `acteurs` area is for administrators only. */
export const canWriteForAll = ({ areas }: Me) => areas.includes('acteurs')

/** Returns the id of the first acteur for which the user may publish; undefined if there is none. */
export const findWritable = ({ acteurs }: Me) =>
  acteurs.find(
    ({ role, permissions, active, valide }) =>
      active && valide && (role === 'owner' || permissions.includes('manage_publications')),
  )?.acteur_id

const hasEspace = ({ acteurs, invitations }: Me) => acteurs.length + invitations.length > 0

/** Whether no role opens a screen: the user works for acteurs only, or waits for one. */
export const startsInEspace = ({ areas }: Me) => areas.length === 0
