import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { DeletedList } from '../../shell/deleted/deleted-list.tsx'
import { MailNote } from '../../shell/mail-place.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink } from '../../shell/records/links.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { ManagedAlertes } from '../alertes/managed.tsx'
import { useActeur } from './acteur.ts'
import {
  deletedAlertesQuery,
  ownAlertes,
  ownAlertesQuery,
  ownersOf,
  reachQuery,
  shownAlertes,
} from './alertes.queries.ts'
import { Inactive } from './not-allowed.tsx'
import { PlacesOfAlerte } from './places-field.tsx'
import { ResendToUncertain } from './resend.tsx'
import { isInactiveBody, isMairie, isOfGroup, isPublicBody, mayAlert } from './rights.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/alertes')

const sendingMs = 2_000

type Reach = Awaited<ReturnType<NonNullable<ReturnType<typeof reachQuery>['queryFn']>>>
type Numbers = NonNullable<ReturnType<Reach['byAlerte']['get']>>
type ReachedProps = { alerteId: string; numbers: Numbers; isWriter: boolean }

/** How many got an alerte. */
function Reached({ alerteId, numbers, isWriter }: ReachedProps) {
  const words = useTranslations('espace.alertes')
  const { owner, uncertain, can_resend, is_sending } = numbers
  return (
    <>
      {words(is_sending ? 'sending' : 'reached', numbers)}{' '}
      {isWriter && can_resend && (
        <ResendToUncertain owner={owner} alerteId={alerteId} uncertain={uncertain} />
      )}
    </>
  )
}

const namedHidings = 5

/** The communes whose mairie hides an alerte of a group. */
function HiddenIn({ communes }: { communes: readonly { nom: string }[] }) {
  const words = useTranslations('espace.alertes')
  if (communes.length === 0) return null
  const named = communes.slice(0, namedHidings).map(({ nom }) => nom)
  return (
    <span>{words('hiddenIn', { communes: named.join(', '), more: communes.length - named.length })}</span>
  )
}

/** Alertes of a mairie and of its communes, or of a group: in force, to come and past. */
export function OwnAlertesScreen() {
  const words = useTranslations('espace.alertes')
  const ofSpace = useTranslations('espace')
  const { acteurId } = route.useParams()
  const acteur = useActeur()
  const alertes = useQuery(ownAlertesQuery(acteur))
  const reach = useQuery({
    ...reachQuery(acteur),
    // No event tells of each message that leaves.
    refetchInterval: ({ state }) => (state.data?.isSending ? sendingMs : false),
  })
  const owners = ownersOf(acteur)
  const isWriter = mayAlert(acteur)
  return (
    <Page
      title={words('title')}
      actions={
        <Row>
          {isPublicBody(acteur) && (
            <ScreenLink icon="list" to="/espace/$acteurId/resultats" params={{ acteurId }}>
              {ofSpace('results.title')}
            </ScreenLink>
          )}
          {isMairie(acteur) && (
            <ScreenLink icon="list" to="/espace/$acteurId/alertes/groupements" params={{ acteurId }}>
              {ofSpace('groupHidings.open')}
            </ScreenLink>
          )}
          {isWriter && (
            <ScreenLink look="primary" icon="bell" to="/espace/$acteurId/alerter" params={{ acteurId }}>
              {words('alert')}
            </ScreenLink>
          )}
        </Row>
      }
    >
      {!isWriter && (isInactiveBody(acteur) ? <Inactive /> : <p>{words('readOnly')}</p>)}
      <QueryState query={alertes} lines={6} />
      {alertes.data && (
        <>
          <ManagedAlertes
            alertes={alertes.data.alertes}
            of={({ commune_id, acteur_id, commune_ids }) =>
              commune_ids.length > 0
                ? words('someCommunes', { count: commune_ids.length })
                : (owners.find(({ id }) => id === (commune_id ?? acteur_id))?.nom ?? '')
            }
            notes={reach.data}
            noteOf={({ id, hidden_in }) => {
              const numbers = reach.data?.byAlerte.get(id)
              if (numbers === undefined && hidden_in.length === 0) return undefined
              return (
                <>
                  {numbers && <Reached alerteId={id} numbers={numbers} isWriter={isWriter} />}
                  {numbers && hidden_in.length > 0 && <br />}
                  <HiddenIn communes={hidden_in} />
                </>
              )
            }}
            store={ownAlertes}
            placesOf={({ acteur_id }) =>
              acteur_id === acteurId && isOfGroup(acteur) ? PlacesOfAlerte : undefined
            }
            empty={
              <Empty icon="bell" title={words('empty.title')}>
                <p>{words('empty.text')}</p>
              </Empty>
            }
          />
          <DeletedList query={deletedAlertesQuery(acteur)} kind="alerte" restore={ownAlertes.restore} />
          <MailNote />
          {!alertes.data.isWhole && <Soft>{words('newest', { count: shownAlertes })}</Soft>}
        </>
      )}
    </Page>
  )
}
