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
import { useTranslations } from 'use-intl'
import { meQuery, queryClient } from './api/queries.ts'
import { session } from './api/session.ts'
import { type AlertesSearch, niveaux } from './screens/alertes/search.ts'
import type { ClaimsSearch } from './screens/claims/queries.ts'
import { listSearch } from './screens/publications/list/search.ts'
import { type Role, roles } from './screens/users/roles.ts'
import { ownDrafts } from './shell/drafts.ts'
import { Frame, NotForYou } from './shell/frame.tsx'
import { canWrite } from './shell/screens.ts'
import { ShownFailure } from './shell/shown-failure.tsx'
import { Empty, Skeleton } from './ui/empty.tsx'
import { Page } from './ui/page.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

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
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in.tsx'), 'SignInScreen'),
})

/** Guards a screen by area: users whose roles do not open the area see `NotForYou` at the same URL. */
const inArea = (area: string, load: () => Promise<Record<string, never>>, name: string) => {
  const Screen = lazyRouteComponent(load, name)
  function Guarded() {
    const { me } = signedIn.useRouteContext()
    return me.areas.includes(area) ? <Screen /> : <NotForYou />
  }
  // Preloads the screen with its route, and when the pointer approaches a link to it.
  return Object.assign(Guarded, { preload: Screen.preload })
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

const review = () => import('./screens/publications/review/review.tsx') as never
const queue = createRoute({
  getParentRoute: () => signedIn,
  path: '/queue',
  validateSearch: reviewSearch,
  component: inArea('publications', review, 'QueueScreen'),
})
const reports = createRoute({
  getParentRoute: () => signedIn,
  path: '/reports',
  validateSearch: reviewSearch,
  component: inArea('publications', review, 'ReportsScreen'),
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
const NewPublication = lazyRouteComponent(
  () => import('./screens/publications/writing/new.tsx'),
  'NewPublicationScreen',
)
const newPublication = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications/new',
  component: function WhoWrites() {
    const { me } = signedIn.useRouteContext()
    return canWrite(me) ? <NewPublication /> : <NotForYou />
  },
})
const Publication = lazyRouteComponent(
  () => import('./screens/publications/list/one.tsx'),
  'PublicationScreen',
)
const OwnPublication = lazyRouteComponent(
  () => import('./screens/publications/writing/own.tsx'),
  'OwnPublicationScreen',
)
const publication = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications/$id',
  component: function OnePublication() {
    const { me } = signedIn.useRouteContext()
    if (me.areas.includes('publications')) return <Publication />
    return me.acteurs.length > 0 ? <OwnPublication /> : <NotForYou />
  },
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

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/account/account.tsx'), 'AccountScreen'),
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
      users,
      user,
      account,
    ]),
  ]),
  basepath: '/backoffice',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ScreenFailure,
})

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
        onRetry={() => {
          reset()
          void invalidate()
        }}
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
