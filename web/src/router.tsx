import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { noteOutcome } from './api/connection.ts'
import { ApiFailure } from './api/failure.ts'
import { meQuery, queryClient } from './api/queries.ts'
import { session } from './api/session.ts'
import { acteursSearch } from './screens/acteurs/search.ts'
import { type AlertesSearch, niveaux } from './screens/alertes/search.ts'
import { auditSearch } from './screens/audit/search.ts'
import type { ClaimsSearch } from './screens/claims/queries.ts'
import {
  type CommuneSearch,
  type CommunesSearch,
  gapsFrom,
  isDepartement,
  sorts,
  tabs,
} from './screens/communes/search.ts'
import {
  type DefibrillateursSearch,
  sorts as deviceSorts,
  tabs as deviceTabs,
  etatNames,
  statuts,
} from './screens/defibrillateurs/search.ts'
import { type ImportsSearch, runStatuses, views } from './screens/imports/search.ts'
import { mailsSearch } from './screens/mails/search.ts'
import { messagesSearch } from './screens/messages/search.ts'
import { listSearch } from './screens/publications/list/search.ts'
import { firstSize, publicationQuery, reviewQuery } from './screens/publications/queries.ts'
// Not loaded on demand: work begins with the queue, and a file of its own would be one more round trip.
import { QueueScreen, ReportsScreen } from './screens/publications/review/review.tsx'
import { eventsSearch, subscriptionsSearch } from './screens/subscriptions/search.ts'
import { type Role, roles } from './screens/users/roles.ts'
import { ConfirmationDialog } from './shell/confirmation.tsx'
import { ownDrafts } from './shell/drafts.ts'
import { Frame, NotForYou } from './shell/frame.tsx'
import { canWrite } from './shell/screens.ts'
import { ShownFailure } from './shell/shown-failure.tsx'
import { Empty, Skeleton } from './ui/empty.tsx'
import { Page } from './ui/page.tsx'

/**
 * Screen whose file loads on demand. If the import fails although the service responds, an upgrade has replaced the
 * file: the router reloads the page. Otherwise a reload would leave the browser's own error page, so the screen fails
 * as one whose request had no response.
 */
const screenFrom = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      if (await isReady()) throw error
      noteOutcome('none')
      throw new ApiFailure({ status: 0, code: 'unreachable', message: '' })
    }
  }, name)

const isReady = (): Promise<boolean> =>
  fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ConfirmationDialog />
    </>
  ),
  notFoundComponent: NotFound,
})

/** Parent of all screens except sign-in: redirects signed-out users to sign-in, and back afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const me = await queryClient.ensureQueryData(meQuery)
    if (me === null) {
      session.set('out')
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
    ownDrafts(me.id)
    if (session.get() !== 'expired') session.set('in')
    return { me }
  },
  component: function SignedIn() {
    const { me } = signedIn.useRouteContext()
    return <Frame me={me} />
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && next.startsWith('/') && !next.startsWith('//') ? { next } : {},
  component: screenFrom(() => import('./screens/sign-in/sign-in.tsx'), 'SignInScreen'),
})

/** Guards a screen by area: users whose roles do not open the area see `NotForYou` at the same URL. */
const guarded = (area: string, Screen: ComponentType) =>
  function Guarded() {
    const { me } = signedIn.useRouteContext()
    return me.areas.includes(area) ? <Screen /> : <NotForYou />
  }

/** Guards a screen that loads with its route, and when the pointer approaches a link to it. */
const inArea = (area: string, load: () => Promise<Record<string, never>>, name: string) => {
  const Screen = screenFrom(load, name)
  return Object.assign(guarded(area, Screen), { preload: Screen.preload })
}

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: inArea(
    'dashboard',
    () => import('./screens/dashboard/dashboard.tsx') as never,
    'DashboardScreen',
  ),
})

/** Reads a text search parameter; undefined if it is empty or of another type. */
const textOf = (value: unknown) =>
  // The router parses an all-digit value as a number.
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined

const oneOf = <Value,>(values: readonly Value[], value: unknown) => values.find((known) => known === value)

const pageOf = (value: unknown) => (Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined)

type ReviewSearch = { selected?: string; q?: string }
const reviewSearch = ({ selected, q }: Record<string, unknown>): ReviewSearch =>
  given({ selected: textOf(selected), q: textOf(q) })

const queue = createRoute({
  getParentRoute: () => signedIn,
  path: '/queue',
  validateSearch: reviewSearch,
  component: guarded('publications', QueueScreen),
})
const reports = createRoute({
  getParentRoute: () => signedIn,
  path: '/reports',
  validateSearch: reviewSearch,
  component: guarded('publications', ReportsScreen),
})

const duplicates = createRoute({
  getParentRoute: () => signedIn,
  path: '/duplicates',
  validateSearch: ({ group }: Record<string, unknown>): { group?: string } => given({ group: textOf(group) }),
  component: inArea(
    'publications',
    () => import('./screens/publications/duplicates/duplicates.tsx') as never,
    'DuplicatesScreen',
  ),
})
const publications = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications',
  validateSearch: listSearch,
  component: inArea(
    'publications',
    () => import('./screens/publications/list/list.tsx') as never,
    'PublicationsScreen',
  ),
})
const NewPublication = screenFrom(
  () => import('./screens/publications/writing/new.tsx'),
  'NewPublicationScreen',
)
const newPublication = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications/new',
  component: Object.assign(
    function WhoWrites() {
      const { me } = signedIn.useRouteContext()
      return canWrite(me) ? <NewPublication /> : <NotForYou />
    },
    { preload: NewPublication.preload },
  ),
})
const Publication = screenFrom(() => import('./screens/publications/list/one.tsx'), 'PublicationScreen')
const OwnPublication = screenFrom(
  () => import('./screens/publications/writing/own.tsx'),
  'OwnPublicationScreen',
)
const publication = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications/$id',
  component: Object.assign(
    function OnePublication() {
      const { me } = signedIn.useRouteContext()
      if (me.areas.includes('publications')) return <Publication />
      return me.acteurs.length > 0 ? <OwnPublication /> : <NotForYou />
    },
    { preload: () => Promise.all([Publication.preload?.(), OwnPublication.preload?.()]).then(() => {}) },
  ),
})

const claims = createRoute({
  getParentRoute: () => signedIn,
  path: '/claims',
  validateSearch: ({ q, status, page }: Record<string, unknown>): ClaimsSearch =>
    given({
      q: textOf(q),
      status: oneOf(['approved', 'rejected', 'expired', 'all'] as const, status),
      page: pageOf(page),
    }),
  component: inArea('claims', () => import('./screens/claims/list.tsx') as never, 'ClaimsScreen'),
})
const claim = createRoute({
  getParentRoute: () => signedIn,
  path: '/claims/$id',
  component: inArea('claims', () => import('./screens/claims/one.tsx') as never, 'ClaimScreen'),
})
const alertes = createRoute({
  getParentRoute: () => signedIn,
  path: '/alertes',
  validateSearch: ({ niveau, when, page }: Record<string, unknown>): AlertesSearch =>
    given({
      niveau: oneOf(niveaux, niveau),
      when: oneOf(['current', 'others'] as const, when),
      page: pageOf(page),
    }),
  component: inArea('alertes', () => import('./screens/alertes/alertes.tsx') as never, 'AlertesScreen'),
})

const communes = createRoute({
  getParentRoute: () => signedIn,
  path: '/communes',
  validateSearch: (search: Record<string, unknown>): CommunesSearch => {
    const departement = textOf(search.departement)
    return given({
      q: textOf(search.q),
      departement: departement !== undefined && isDepartement(departement) ? departement : undefined,
      incomplete: gapsFrom(search.incomplete),
      sort: oneOf(sorts, search.sort),
      after: textOf(search.after),
      page: pageOf(search.page),
    })
  },
  component: inArea('communes', () => import('./screens/communes/list/list.tsx') as never, 'CommunesScreen'),
})
const commune = createRoute({
  getParentRoute: () => signedIn,
  path: '/communes/$id',
  validateSearch: ({ tab, edit }: Record<string, unknown>): CommuneSearch =>
    given({ tab: oneOf(tabs, tab), edit: textOf(edit) }),
  component: inArea('communes', () => import('./screens/communes/editor/one.tsx') as never, 'CommuneScreen'),
})

const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: messagesSearch,
  component: inArea('messages', () => import('./screens/messages/messages.tsx') as never, 'MessagesScreen'),
})

const defibrillateurs = createRoute({
  getParentRoute: () => signedIn,
  path: '/defibrillateurs',
  validateSearch: (search: Record<string, unknown>): DefibrillateursSearch =>
    given({
      tab: oneOf(deviceTabs, search.tab),
      q: textOf(search.q),
      statut: oneOf(statuts, search.statut),
      etat: oneOf(etatNames, search.etat),
      absent: oneOf(['yes', 'no'] as const, search.absent),
      sort: oneOf(deviceSorts, search.sort),
      page: pageOf(search.page),
      at: textOf(search.at),
    }),
  component: inArea(
    'defibrillateurs',
    () => import('./screens/defibrillateurs/defibrillateurs.tsx') as never,
    'DefibrillateursScreen',
  ),
})
const defibrillateur = createRoute({
  getParentRoute: () => signedIn,
  path: '/defibrillateurs/$id',
  component: inArea(
    'defibrillateurs',
    () => import('./screens/defibrillateurs/one.tsx') as never,
    'DefibrillateurScreen',
  ),
})

const imports = createRoute({
  getParentRoute: () => signedIn,
  path: '/imports',
  validateSearch: ({ view, q, status, page }: Record<string, unknown>): ImportsSearch =>
    given({
      view: oneOf(views, view),
      q: textOf(q),
      status: oneOf(runStatuses, status),
      page: pageOf(page),
    }),
  component: inArea('import-sources', () => import('./screens/imports/list.tsx') as never, 'ImportsScreen'),
})
const newImport = createRoute({
  getParentRoute: () => signedIn,
  path: '/imports/new',
  component: inArea('import-sources', () => import('./screens/imports/new.tsx') as never, 'NewSourceScreen'),
})
const importSource = createRoute({
  getParentRoute: () => signedIn,
  path: '/imports/$id',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } => given({ page: pageOf(page) }),
  component: inArea('import-sources', () => import('./screens/imports/one.tsx') as never, 'SourceScreen'),
})

const acteurs = createRoute({
  getParentRoute: () => signedIn,
  path: '/acteurs',
  validateSearch: acteursSearch,
  component: inArea('acteurs', () => import('./screens/acteurs/list.tsx') as never, 'ActeursScreen'),
})
const acteur = createRoute({
  getParentRoute: () => signedIn,
  path: '/acteurs/$id',
  component: inArea('acteurs', () => import('./screens/acteurs/one.tsx') as never, 'ActeurScreen'),
})
const subscriptions = createRoute({
  getParentRoute: () => signedIn,
  path: '/subscriptions',
  validateSearch: subscriptionsSearch,
  component: inArea(
    'subscriptions',
    () => import('./screens/subscriptions/list.tsx') as never,
    'SubscriptionsScreen',
  ),
})
const paymentEvents = createRoute({
  getParentRoute: () => signedIn,
  path: '/subscriptions/events',
  validateSearch: eventsSearch,
  component: inArea(
    'subscriptions',
    () => import('./screens/subscriptions/events.tsx') as never,
    'EventsScreen',
  ),
})
const subscription = createRoute({
  getParentRoute: () => signedIn,
  path: '/subscriptions/$id',
  component: inArea(
    'subscriptions',
    () => import('./screens/subscriptions/one.tsx') as never,
    'SubscriptionScreen',
  ),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: screenFrom(() => import('./screens/account/account.tsx'), 'AccountScreen'),
})

type UsersSearch = { q?: string; role?: Role; page?: number }
const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  validateSearch: ({ q, role, page }: Record<string, unknown>): UsersSearch => ({
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(roles.includes(role as Role) && { role: role as Role }),
    ...(Number.isInteger(page) && Number(page) > 1 && { page: Number(page) }),
  }),
  component: inArea('users', () => import('./screens/users/list.tsx') as never, 'UsersScreen'),
})
const user = createRoute({
  getParentRoute: () => signedIn,
  path: '/users/$userId',
  component: inArea('users', () => import('./screens/users/detail.tsx') as never, 'UserScreen'),
})

const mails = createRoute({
  getParentRoute: () => signedIn,
  path: '/mails',
  validateSearch: mailsSearch,
  component: inArea('mails', () => import('./screens/mails/mails.tsx') as never, 'MailsScreen'),
})
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: auditSearch,
  component: inArea('audit', () => import('./screens/audit/audit.tsx') as never, 'AuditScreen'),
})

const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  validateSearch: ({ user }: Record<string, unknown>): { user?: string } => given({ user: textOf(user) }),
  component: inArea('privacy', () => import('./screens/people/people.tsx') as never, 'PeopleScreen'),
})
const system = createRoute({
  getParentRoute: () => signedIn,
  path: '/system',
  component: inArea('system', () => import('./screens/system/system.tsx') as never, 'SystemScreen'),
})
const types = createRoute({
  getParentRoute: () => signedIn,
  path: '/system/types',
  component: inArea('reference', () => import('./screens/reference/types.tsx') as never, 'TypesScreen'),
})
const sources = createRoute({
  getParentRoute: () => signedIn,
  path: '/system/sources',
  component: inArea('reference', () => import('./screens/reference/sources.tsx') as never, 'SourcesScreen'),
})

function given<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }
}

/** All screens, by their paths below `/backoffice/`. */
export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([
      dashboard,
      queue,
      duplicates,
      reports,
      publications,
      newPublication,
      publication,
      claims,
      claim,
      alertes,
      communes,
      commune,
      messages,
      defibrillateurs,
      defibrillateur,
      imports,
      newImport,
      importSource,
      acteurs,
      acteur,
      subscriptions,
      paymentEvents,
      subscription,
      users,
      user,
      mails,
      audit,
      people,
      system,
      types,
      sources,
      account,
    ]),
  ]),
  basepath: '/backoffice',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ScreenFailure,
})

/** Sends what the first screen needs once it is known who is signed in, before anything is drawn. */
export async function sendFirstRequests(): Promise<void> {
  const { pathname, search } = router.latestLocation
  const kind = pathname.slice(1)
  if (kind !== 'queue' && kind !== 'reports') return
  const me = await queryClient.ensureQueryData(meQuery)
  if (!me?.areas.includes('publications')) return
  const { q = '', selected } = reviewSearch(search)
  void queryClient.prefetchQuery(reviewQuery({ kind, q, size: firstSize }))
  if (selected !== undefined) void queryClient.prefetchQuery(publicationQuery(selected))
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function Loading() {
  return (
    <div role="status">
      <Skeleton lines={8} />
    </div>
  )
}

/** Error boundary of one screen: the rest of the application keeps working. */
function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const words = useTranslations('failures')
  const { invalidate } = useRouter()
  return (
    <Page title={words('screen')}>
      <ShownFailure
        error={error}
        // The files of the screen are loaded again before it is drawn again.
        onRetry={() => void invalidate().then(reset)}
      />
    </Page>
  )
}

function NotFound() {
  const words = useTranslations('notFound')
  return (
    <main>
      <Page title={words('title')}>
        <Empty icon="search" title={words('text')}>
          <a href="/backoffice/">{words('home')}</a>
        </Empty>
      </Page>
    </main>
  )
}
