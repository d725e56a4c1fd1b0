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
import { confirmation } from './api/confirmation.ts'
import { noteOutcome } from './api/connection.ts'
import { ApiFailure } from './api/failure.ts'
import { type Me, meQuery, queryClient } from './api/queries.ts'
import { session, shownUser } from './api/session.ts'
import { acteursSearch } from './screens/acteurs/search.ts'
import { adminActsSearch } from './screens/acts/search.ts'
import { alertesSearch } from './screens/alertes/search.ts'
import { auditSearch } from './screens/audit/search.ts'
import { claimsSearch } from './screens/claims/search.ts'
import { activitySearch } from './screens/communes/activity/search.ts'
import { communeSearch, communesSearch } from './screens/communes/search.ts'
import { defibrillateursSearch } from './screens/defibrillateurs/search.ts'
import { domainsSearch } from './screens/domains/search.ts'
import { actsSearch } from './screens/espace/acts/search.ts'
import { collectesSearch } from './screens/espace/collectes/search.ts'
import { groupHidingsSearch, ownCommuneSearch, ownSearch } from './screens/espace/search.ts'
import { groupsSearch } from './screens/groups/search.ts'
import { importsSearch } from './screens/imports/search.ts'
import { mailsSearch } from './screens/mails/search.ts'
import { messagesSearch } from './screens/messages/search.ts'
import { complaintsSearch } from './screens/publications/complaints/search.ts'
import { listSearch } from './screens/publications/list/search.ts'
import { firstSize, publicationQuery, reviewQuery } from './screens/publications/queries.ts'
// Not loaded on demand: work begins with the queue, and a file of its own would be one more round trip.
import { QueueScreen, ReportsScreen } from './screens/publications/review/review.tsx'
import { reviewFilter, reviewSearch } from './screens/publications/review/search.ts'
import { eventsSearch, subscriptionsSearch } from './screens/subscriptions/search.ts'
import { usersSearch } from './screens/users/search.ts'
import { ownDrafts } from './shell/drafts.ts'
import { later } from './shell/later.tsx'
import { defined, pageOf, type SearchParams, textOf } from './shell/lists/search-params.ts'
import { Frame, NotForYou } from './shell/navigation/frame.tsx'
import { canWriteForAll, findWritable, startsInEspace } from './shell/navigation/screens.ts'
import { settings } from './shell/settings.ts'
import { ShownFailure } from './shell/shown-failure.tsx'
import { isInside } from './shell/sign-in/return-path.ts'
import { webhooksSearch } from './shell/webhooks/search.ts'
import { loadTexts } from './text/provider.tsx'
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
      const [module] = await Promise.all([load(), loadTexts(settings.get().language)])
      return module
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

const ConfirmationDialog = later(
  async () => (await import('./shell/sign-in/confirmation-dialog.tsx')).ConfirmationDialog,
)

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      {confirmation.use() === 'asked' && <ConfirmationDialog />}
    </>
  ),
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
    // Not again: `me` may be older than a sign-in of another user in another tab.
    if (shownUser.get() === null) ownDrafts(me.id)
    shownUser.set(me.id)
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
  validateSearch: ({ next }: SearchParams): { next?: string } => (isInside(next) ? { next } : {}),
  component: screenFrom(() => import('./screens/sign-in/sign-in.tsx'), 'SignInScreen'),
})

const undoAddress = createRoute({
  getParentRoute: () => root,
  path: '/undo-address',
  component: screenFrom(() => import('./screens/sign-in/undo-address.tsx'), 'UndoAddressScreen'),
})

/** Guards a screen: users for whom it is not see `NotForYou` at the same URL. */
const guarded = (isFor: (me: Me) => boolean, Screen: ComponentType) =>
  function Guarded() {
    const { me } = signedIn.useRouteContext()
    return isFor(me) ? <Screen /> : <NotForYou />
  }

/** Guards a screen that loads with its route, and when the pointer approaches a link to it. */
const guardedFrom = <Module extends Record<string, unknown>, Name extends keyof Module>(
  isFor: (me: Me) => boolean,
  load: () => Promise<Module>,
  name: Name,
) => {
  const Screen = screenFrom(load, name)
  return Object.assign(guarded(isFor, Screen), { preload: Screen.preload })
}

/** Guards a screen by area: a role opens it. */
const inArea = <Module extends Record<string, unknown>, Name extends keyof Module>(
  area: string,
  load: () => Promise<Module>,
  name: Name,
) => guardedFrom(opens(area), load, name)

const opens = (area: string) => (me: Me) => me.areas.includes(area)

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    if (startsInEspace(me)) throw redirect({ to: '/espace', replace: true })
  },
  component: inArea('dashboard', () => import('./screens/dashboard/dashboard.tsx'), 'DashboardScreen'),
})

const queue = createRoute({
  getParentRoute: () => signedIn,
  path: '/queue',
  validateSearch: reviewSearch,
  component: guarded(opens('publications'), QueueScreen),
})
const reports = createRoute({
  getParentRoute: () => signedIn,
  path: '/reports',
  validateSearch: reviewSearch,
  component: guarded(opens('publications'), ReportsScreen),
})

const duplicates = createRoute({
  getParentRoute: () => signedIn,
  path: '/duplicates',
  validateSearch: ({ group }: SearchParams): { group?: string } => defined({ group: textOf(group) }),
  component: inArea(
    'publications',
    () => import('./screens/publications/duplicates/duplicates.tsx'),
    'DuplicatesScreen',
  ),
})
const complaints = createRoute({
  getParentRoute: () => signedIn,
  path: '/complaints',
  validateSearch: complaintsSearch,
  component: inArea(
    'publications',
    () => import('./screens/publications/complaints/list.tsx'),
    'ComplaintsScreen',
  ),
})
const complaint = createRoute({
  getParentRoute: () => signedIn,
  path: '/complaints/$id',
  component: inArea(
    'publications',
    () => import('./screens/publications/complaints/one.tsx'),
    'ComplaintScreen',
  ),
})
const publications = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications',
  validateSearch: listSearch,
  component: inArea(
    'publications',
    () => import('./screens/publications/list/list.tsx'),
    'PublicationsScreen',
  ),
})
const newPublication = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications/new',
  beforeLoad: ({ context: { me } }) => {
    const acteurId = canWriteForAll(me) ? undefined : findWritable(me)
    if (acteurId !== undefined)
      throw redirect({ to: '/espace/$acteurId/publier', params: { acteurId }, replace: true })
  },
  component: guardedFrom(
    canWriteForAll,
    () => import('./screens/publications/writing/new.tsx'),
    'NewPublicationScreen',
  ),
})
const Publication = screenFrom(() => import('./screens/publications/list/one.tsx'), 'PublicationScreen')
const MovedPublication = screenFrom(() => import('./screens/espace/moved.tsx'), 'MovedPublication')
const publication = createRoute({
  getParentRoute: () => signedIn,
  path: '/publications/$id',
  // Mails link here, whoever reads them: members find their publications in their space.
  component: function OnePublication() {
    const { me } = signedIn.useRouteContext()
    if (me.areas.includes('publications')) return <Publication />
    return me.acteurs.length > 0 ? <MovedPublication /> : <NotForYou />
  },
})

const espace = createRoute({
  getParentRoute: () => signedIn,
  path: '/espace',
  beforeLoad: ({ context: { me }, location }) => {
    const [only] = me.acteurs.length === 1 && me.invitations.length === 0 ? me.acteurs : []
    if (only && /\/espace\/?$/.test(location.pathname))
      throw redirect({ to: '/espace/$acteurId', params: { acteurId: only.acteur_id }, replace: true })
  },
  component: screenFrom(() => import('./screens/espace/espace.tsx'), 'EspaceScreen'),
})
/** Parent of the screens of one acteur of the user. */
const space = createRoute({
  getParentRoute: () => signedIn,
  path: '/espace/$acteurId',
  component: screenFrom(() => import('./screens/espace/space.tsx'), 'SpaceScreen'),
})
const spaceHome = createRoute({
  getParentRoute: () => space,
  path: '/',
  component: screenFrom(() => import('./screens/espace/home.tsx'), 'ActeurHomeScreen'),
})
const spacePublications = createRoute({
  getParentRoute: () => space,
  path: '/publications',
  validateSearch: ownSearch,
  component: screenFrom(() => import('./screens/espace/publications.tsx'), 'OwnPublicationsScreen'),
})
const spacePublication = createRoute({
  getParentRoute: () => space,
  path: '/publications/$id',
  component: screenFrom(() => import('./screens/espace/publication.tsx'), 'OwnPublicationScreen'),
})
const spacePublish = createRoute({
  getParentRoute: () => space,
  path: '/publier',
  component: screenFrom(() => import('./screens/espace/publish.tsx'), 'PublishScreen'),
})
const spaceSupervision = createRoute({
  getParentRoute: () => space,
  path: '/supervision',
  validateSearch: reviewSearch,
  component: screenFrom(() => import('./screens/espace/supervision.tsx'), 'SupervisionScreen'),
})
const spaceGroupPublications = createRoute({
  getParentRoute: () => space,
  path: '/groupements',
  validateSearch: groupHidingsSearch,
  component: screenFrom(() => import('./screens/espace/group-publications.tsx'), 'GroupPublicationsScreen'),
})
const spaceAlertes = createRoute({
  getParentRoute: () => space,
  path: '/alertes',
  component: screenFrom(() => import('./screens/espace/alertes.tsx'), 'OwnAlertesScreen'),
})
const spaceGroupAlertes = createRoute({
  getParentRoute: () => space,
  path: '/alertes/groupements',
  validateSearch: groupHidingsSearch,
  component: screenFrom(() => import('./screens/espace/group-alertes.tsx'), 'GroupAlertesScreen'),
})
const spaceCollectes = createRoute({
  getParentRoute: () => space,
  path: '/collectes',
  validateSearch: collectesSearch,
  component: screenFrom(() => import('./screens/espace/collectes/collectes.tsx'), 'CollectesScreen'),
})
const spaceResults = createRoute({
  getParentRoute: () => space,
  path: '/resultats',
  component: screenFrom(() => import('./screens/espace/results.tsx'), 'ResultsScreen'),
})
const spaceAlert = createRoute({
  getParentRoute: () => space,
  path: '/alerter',
  component: screenFrom(() => import('./screens/espace/alert.tsx'), 'AlertScreen'),
})
const spaceActs = createRoute({
  getParentRoute: () => space,
  path: '/actes',
  validateSearch: actsSearch,
  component: screenFrom(() => import('./screens/espace/acts/list.tsx'), 'ActsScreen'),
})
const spaceAct = createRoute({
  getParentRoute: () => space,
  path: '/actes/$id',
  component: screenFrom(() => import('./screens/espace/acts/one.tsx'), 'ActScreen'),
})
const spacePage = createRoute({
  getParentRoute: () => space,
  path: '/page',
  component: screenFrom(() => import('./screens/espace/page.tsx'), 'ActeurPageScreen'),
})
const spaceCommune = createRoute({
  getParentRoute: () => space,
  path: '/commune',
  validateSearch: ownCommuneSearch,
  component: screenFrom(() => import('./screens/espace/commune.tsx'), 'OwnCommuneScreen'),
})
const spaceCommunePages = createRoute({
  getParentRoute: () => space,
  path: '/commune/$communeId/pages',
  component: screenFrom(() => import('./screens/espace/pages/list.tsx'), 'CommunePagesScreen'),
})
const spaceCommunePage = createRoute({
  getParentRoute: () => space,
  path: '/commune/$communeId/pages/$id',
  component: screenFrom(() => import('./screens/espace/pages/one.tsx'), 'CommunePageScreen'),
})
const spaceTeam = createRoute({
  getParentRoute: () => space,
  path: '/equipe',
  component: screenFrom(() => import('./screens/espace/team.tsx'), 'TeamScreen'),
})

const spaceWebhooks = createRoute({
  getParentRoute: () => space,
  path: '/webhooks',
  validateSearch: webhooksSearch,
  component: screenFrom(() => import('./screens/espace/webhooks.tsx'), 'ActeurWebhooksScreen'),
})

const claims = createRoute({
  getParentRoute: () => signedIn,
  path: '/claims',
  validateSearch: claimsSearch,
  component: inArea('claims', () => import('./screens/claims/list.tsx'), 'ClaimsScreen'),
})
const claim = createRoute({
  getParentRoute: () => signedIn,
  path: '/claims/$id',
  component: inArea('claims', () => import('./screens/claims/one.tsx'), 'ClaimScreen'),
})
const alertes = createRoute({
  getParentRoute: () => signedIn,
  path: '/alertes',
  validateSearch: alertesSearch,
  component: inArea('alertes', () => import('./screens/alertes/alertes.tsx'), 'AlertesScreen'),
})

const communes = createRoute({
  getParentRoute: () => signedIn,
  path: '/communes',
  validateSearch: communesSearch,
  component: inArea('communes', () => import('./screens/communes/list/list.tsx'), 'CommunesScreen'),
})
const communeActivity = createRoute({
  getParentRoute: () => signedIn,
  path: '/communes/activity',
  validateSearch: activitySearch,
  component: inArea(
    'communes',
    () => import('./screens/communes/activity/activity.tsx'),
    'CommuneActivityScreen',
  ),
})
const commune = createRoute({
  getParentRoute: () => signedIn,
  path: '/communes/$id',
  validateSearch: communeSearch,
  component: inArea('communes', () => import('./screens/communes/editor/one.tsx'), 'CommuneScreen'),
})

const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: messagesSearch,
  component: inArea('messages', () => import('./screens/messages/messages.tsx'), 'MessagesScreen'),
})

const defibrillateurs = createRoute({
  getParentRoute: () => signedIn,
  path: '/defibrillateurs',
  validateSearch: defibrillateursSearch,
  component: inArea(
    'defibrillateurs',
    () => import('./screens/defibrillateurs/defibrillateurs.tsx'),
    'DefibrillateursScreen',
  ),
})
const defibrillateur = createRoute({
  getParentRoute: () => signedIn,
  path: '/defibrillateurs/$id',
  component: inArea(
    'defibrillateurs',
    () => import('./screens/defibrillateurs/one.tsx'),
    'DefibrillateurScreen',
  ),
})

const imports = createRoute({
  getParentRoute: () => signedIn,
  path: '/imports',
  validateSearch: importsSearch,
  component: inArea('import-sources', () => import('./screens/imports/list.tsx'), 'ImportsScreen'),
})
const newImport = createRoute({
  getParentRoute: () => signedIn,
  path: '/imports/new',
  component: inArea('import-sources', () => import('./screens/imports/new.tsx'), 'NewSourceScreen'),
})
const importSource = createRoute({
  getParentRoute: () => signedIn,
  path: '/imports/$id',
  validateSearch: ({ page }: SearchParams): { page?: number } => defined({ page: pageOf(page) }),
  component: inArea('import-sources', () => import('./screens/imports/one.tsx'), 'SourceScreen'),
})

const acteurs = createRoute({
  getParentRoute: () => signedIn,
  path: '/acteurs',
  validateSearch: acteursSearch,
  component: inArea('acteurs', () => import('./screens/acteurs/list.tsx'), 'ActeursScreen'),
})
const acteur = createRoute({
  getParentRoute: () => signedIn,
  path: '/acteurs/$id',
  component: inArea('acteurs', () => import('./screens/acteurs/one.tsx'), 'ActeurScreen'),
})
const subscriptions = createRoute({
  getParentRoute: () => signedIn,
  path: '/subscriptions',
  validateSearch: subscriptionsSearch,
  component: inArea('subscriptions', () => import('./screens/subscriptions/list.tsx'), 'SubscriptionsScreen'),
})
const paymentEvents = createRoute({
  getParentRoute: () => signedIn,
  path: '/subscriptions/events',
  validateSearch: eventsSearch,
  component: inArea('subscriptions', () => import('./screens/subscriptions/events.tsx'), 'EventsScreen'),
})
const subscription = createRoute({
  getParentRoute: () => signedIn,
  path: '/subscriptions/$id',
  component: inArea('subscriptions', () => import('./screens/subscriptions/one.tsx'), 'SubscriptionScreen'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: screenFrom(() => import('./screens/account/account.tsx'), 'AccountScreen'),
})

const ownReports = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/reports',
  component: screenFrom(() => import('./screens/account/reports.tsx'), 'ReportsScreen'),
})

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  validateSearch: usersSearch,
  component: inArea('users', () => import('./screens/users/list.tsx'), 'UsersScreen'),
})
const user = createRoute({
  getParentRoute: () => signedIn,
  path: '/users/$userId',
  component: inArea('users', () => import('./screens/users/detail.tsx'), 'UserScreen'),
})

const groups = createRoute({
  getParentRoute: () => signedIn,
  path: '/groups',
  validateSearch: groupsSearch,
  component: inArea('groups', () => import('./screens/groups/groups.tsx'), 'GroupsScreen'),
})
const group = createRoute({
  getParentRoute: () => signedIn,
  path: '/groups/$id',
  component: inArea('groups', () => import('./screens/groups/group.tsx'), 'GroupScreen'),
})

const domains = createRoute({
  getParentRoute: () => signedIn,
  path: '/domains',
  validateSearch: domainsSearch,
  component: inArea('domains', () => import('./screens/domains/domains.tsx'), 'DomainsScreen'),
})
const domain = createRoute({
  getParentRoute: () => signedIn,
  path: '/domains/$id',
  component: inArea('domains', () => import('./screens/domains/domain.tsx'), 'DomainScreen'),
})

const acts = createRoute({
  getParentRoute: () => signedIn,
  path: '/acts',
  validateSearch: adminActsSearch,
  component: inArea('acts', () => import('./screens/acts/acts.tsx'), 'ActsScreen'),
})
const mails = createRoute({
  getParentRoute: () => signedIn,
  path: '/mails',
  validateSearch: mailsSearch,
  component: inArea('mails', () => import('./screens/mails/mails.tsx'), 'MailsScreen'),
})
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: auditSearch,
  component: inArea('audit', () => import('./screens/audit/audit.tsx'), 'AuditScreen'),
})

const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  validateSearch: ({ user }: SearchParams): { user?: string } => defined({ user: textOf(user) }),
  component: inArea('privacy', () => import('./screens/people/people.tsx'), 'PeopleScreen'),
})
const system = createRoute({
  getParentRoute: () => signedIn,
  path: '/system',
  component: inArea('system', () => import('./screens/system/system.tsx'), 'SystemScreen'),
})
const types = createRoute({
  getParentRoute: () => signedIn,
  path: '/system/types',
  component: inArea('reference', () => import('./screens/reference/types.tsx'), 'TypesScreen'),
})
const terms = createRoute({
  getParentRoute: () => signedIn,
  path: '/system/search-terms',
  component: inArea('reference', () => import('./screens/reference/terms.tsx'), 'TermsScreen'),
})
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/system/webhooks',
  validateSearch: webhooksSearch,
  component: inArea('webhooks', () => import('./screens/webhooks/webhooks.tsx'), 'WebhooksScreen'),
})
const sources = createRoute({
  getParentRoute: () => signedIn,
  path: '/system/sources',
  component: inArea('reference', () => import('./screens/reference/sources.tsx'), 'SourcesScreen'),
})

/** An address that leads to no screen, within the frame. Whoever is signed out signs in first. */
const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound })

/** All screens, by their paths below `/backoffice/`. */
export const router = createRouter({
  // Another record has a screen of its own: no dialog and no choice of the record before.
  defaultRemountDeps: ({ params }) => params,
  routeTree: root.addChildren([
    signIn,
    undoAddress,
    signedIn.addChildren([
      dashboard,
      queue,
      duplicates,
      reports,
      complaints,
      complaint,
      publications,
      newPublication,
      publication,
      espace,
      space.addChildren([
        spaceHome,
        spacePublications,
        spacePublication,
        spacePublish,
        spaceSupervision,
        spaceGroupPublications,
        spaceAlertes,
        spaceGroupAlertes,
        spaceAlert,
        spaceCollectes,
        spaceResults,
        spaceActs,
        spaceAct,
        spacePage,
        spaceCommune,
        spaceCommunePages,
        spaceCommunePage,
        spaceTeam,
        spaceWebhooks,
      ]),
      claims,
      claim,
      alertes,
      communes,
      communeActivity,
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
      acts,
      groups,
      group,
      domains,
      domain,
      mails,
      audit,
      people,
      system,
      types,
      sources,
      terms,
      webhooks,
      account,
      ownReports,
      unknown,
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
  const { selected, ...inUrl } = reviewSearch(search)
  const filter = reviewFilter(inUrl, settings.get().oldestFirst)
  void queryClient.prefetchQuery(reviewQuery({ kind, filter, size: firstSize }))
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
    <Page title={words('title')}>
      <Empty icon="search" title={words('text')}>
        <a href="/backoffice/">{words('home')}</a>
      </Empty>
    </Page>
  )
}
