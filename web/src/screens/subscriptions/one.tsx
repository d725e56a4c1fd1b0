import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { acteurChoices } from '../../shell/choices/choices.ts'
import { SearchCombo } from '../../shell/choices/search-combo.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { Notes } from '../../shell/records/colleagues/notes.tsx'
import { Present } from '../../shell/records/colleagues/present.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Lines } from '../../ui/lines.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { EventLine } from './event.tsx'
import { assign, type ReadSubscription, subscriptionQuery, timelineQuery, tones } from './queries.ts'
import styles from './subscriptions.module.css'

const route = getRouteApi('/signed-in/subscriptions/$id')

/** Subscription with its acteur and its payment events. */
export function SubscriptionScreen() {
  const words = useTranslations('subscriptions')
  const { id } = route.useParams()
  const [isAssigning, setAssigning] = useState(false)
  const { data: subscription, ...loaded } = useQuery(subscriptionQuery(id))
  const title = subscription && (subscription.acteur?.nom ?? words('nobody'))
  return (
    <Page
      title={title ?? words('one')}
      back={<BackTo to="/subscriptions" title={words('title')} />}
      actions={
        subscription?.can.includes('edit') && (
          <Button icon="edit" onPress={() => setAssigning(true)}>
            {words('assign.open')}
          </Button>
        )
      }
    >
      <QueryState query={loaded} lines={8} />
      {subscription && (
        <>
          <Present kind="subscription" id={id} />
          <State subscription={subscription} />
          <Timeline id={id} />
          <Notes kind="subscription" recordId={id} />
          <RecordHistory kind="subscription" id={id} />
        </>
      )}
      {subscription && isAssigning && (
        <Assign subscription={subscription} onClose={() => setAssigning(false)} />
      )}
    </Page>
  )
}

function State({ subscription }: { subscription: ReadSubscription }) {
  const words = useTranslations('subscriptions')
  const { status, acteur, acteur_set, label, current_period_start, current_period_end } = subscription
  const time = (at: string | null) => (at === null ? words('none') : <Time at={at} />)
  return (
    <>
      <Row as="p">
        <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>
        {subscription.cancel_at_period_end && <Badge tone="warn">{words('ends')}</Badge>}
        <Soft as="span">{words(`about.${status}`)}</Soft>
      </Row>
      <Facts
        facts={[
          [
            words('acteur'),
            <Row key="acteur" as="span">
              {acteur === null ? (
                words('unassigned')
              ) : (
                <Link to="/acteurs/$id" params={{ id: acteur.id }}>
                  {acteur.nom}
                </Link>
              )}
              {acteur_set !== null && <Badge>{words('set')}</Badge>}
            </Row>,
          ],
          [words('plan'), label ?? words('noPlan')],
          [words('since'), time(current_period_start)],
          [words('paidUntil'), time(current_period_end)],
          ...(subscription.trial_end === null
            ? []
            : [[words('trialEnd'), time(subscription.trial_end)] as const]),
          ...(subscription.canceled_at === null
            ? []
            : [[words('canceledAt'), time(subscription.canceled_at)] as const]),
          [words('providerId'), <code key="id">{subscription.provider_subscription_id}</code>],
          [
            words('customerId'),
            <code key="customer">{subscription.provider_customer_id ?? words('none')}</code>,
          ],
        ]}
      />
    </>
  )
}

function Timeline({ id }: { id: string }) {
  const words = useTranslations('subscriptions')
  const events = useInfiniteQuery(timelineQuery(id))
  const rows = events.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Section title={words('timeline')} note={words('timelineNote')}>
      <QueryState query={events} lines={4} />
      {events.data && rows.length === 0 && <Soft>{words('noEvent')}</Soft>}
      <Lines label={words('timeline')}>
        {rows.map((event) => (
          <EventLine key={event.id} event={event} />
        ))}
      </Lines>
      {events.hasNextPage && (
        <div>
          <Button isPending={events.isFetchingNextPage} onPress={() => void events.fetchNextPage()}>
            {words('earlier')}
          </Button>
        </div>
      )}
    </Section>
  )
}

type AssignProps = { subscription: ReadSubscription; onClose: () => void }

/** Sets the acteur, above all that events say, or lets the events decide again. */
function Assign({ subscription, onClose }: AssignProps) {
  const words = useTranslations('subscriptions.assign')
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Choice | null>(null)
  const assigning = useSubmit({
    mutationFn: (acteurId: string | null) => assign(subscription, acteurId),
    onSuccess: () => {
      showToast({ title: words('done') })
      onClose()
    },
    onSettled: () =>
      Promise.all(['subscriptions', 'acteurs'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  return (
    <Dialog
      title={words('title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {subscription.acteur_set !== null && (
            <Button isPending={assigning.isPending} onPress={() => assigning.submit(null)}>
              {words('clear')}
            </Button>
          )}
          <Button
            look="primary"
            isDisabled={chosen === null}
            isPending={assigning.isPending}
            onPress={() => chosen && assigning.submit(chosen.id)}
          >
            {words('save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {assigning.isError && <ShownFailure error={assigning.error} />}
        <SearchCombo
          label={words('acteur')}
          help={words('help')}
          isRequired
          search={acteurChoices}
          chosen={chosen}
          onChoose={setChosen}
        />
      </div>
    </Dialog>
  )
}
