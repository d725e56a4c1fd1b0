import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SettleDialog } from '../../shell/deciding/settle-dialog.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Soft } from '../../ui/layout.tsx'
import { OneLine } from '../../ui/lines.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { eventTones, type PaymentEvent, replay, settleEvent } from './queries.ts'
import { type Status, statuses } from './search.ts'
import styles from './subscriptions.module.css'

const icons: Record<PaymentEvent['status'], IconName> = {
  failed: 'warning',
  received: 'clock',
  processed: 'check',
  ignored: 'info',
}

/** Names of the kinds of events; the others are shown as the provider calls them. */
const kinds = {
  'customer.subscription.created': 'created',
  'customer.subscription.updated': 'updated',
  'customer.subscription.deleted': 'deleted',
  'customer.subscription.paused': 'paused',
  'customer.subscription.resumed': 'resumed',
  'customer.subscription.trial_will_end': 'trialEnds',
  'checkout.session.completed': 'checkout',
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'paymentFailed',
  'invoice.payment_action_required': 'actionRequired',
  'invoice.finalization_failed': 'finalizationFailed',
} as const
const isKind = (type: string): type is keyof typeof kinds => type in kinds
const isStatus = (status: string | null): status is Status => statuses.some((known) => known === status)

/** Reasons that the service gives, which are in English. */
const reasons = {
  'it has no subscription id': 'noSubscription',
  'its status is unknown': 'noStatus',
  'it has no creation time': 'noTime',
  'its content is no longer stored': 'notKept',
  // Written by earlier releases.
  'it names no subscription': 'noSubscription',
  'it says no status that is known': 'noStatus',
  'it does not say when it was created': 'noTime',
  'what it carried is not kept any more': 'notKept',
} as const
const isReason = (error: string): error is keyof typeof reasons => error in reasons

/** Returns a function that gives the reason of a failure in the language of the page. */
function useReason(): (error: string) => string {
  const words = useTranslations('subscriptions.events.reasons')
  return (error) => {
    if (isReason(error)) return words(reasons[error])
    const [, cause] = /^the database refused \((.+)\)$/.exec(error) ?? []
    return cause === undefined ? words('internal', { error }) : words('database', { cause })
  }
}

type EventProps = {
  event: PaymentEvent
  /** Shows whose subscription it is about, in a list of several. */
  namesSubscription?: boolean
}

/** One payment event: what happened, what became of it, why it failed, and applying it again. */
export function EventLine({ event, namesSubscription = false }: EventProps) {
  const words = useTranslations('subscriptions')
  const reasonOf = useReason()
  const client = useQueryClient()
  const { id, type, status, stated_status: stated, error, subscription } = event
  const name = isKind(type) ? words(`events.kinds.${kinds[type]}`) : type
  const ofSettling = useTranslations('settle')
  const [isSettling, setSettling] = useState(false)
  const reload = () =>
    Promise.all(
      ['payment_events', 'subscriptions', 'dashboard'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    )
  const replaying = useSubmit({
    mutationFn: () => replay(id),
    onSuccess: () => showToast({ title: words('events.replayed') }),
    onSettled: reload,
  })
  return (
    <OneLine
      icon={icons[status]}
      title={name}
      badge={
        event.settled_at === null ? (
          <Badge tone={eventTones[status]}>{words(`events.status.${status}`)}</Badge>
        ) : (
          <Badge>{ofSettling('settled')}</Badge>
        )
      }
      note={
        <>
          <Time at={event.occurred_at ?? event.received_at} />
          {isStatus(stated) && <> · {words('events.stated', { status: words(`status.${stated}`) })}</>}
          {namesSubscription && subscription !== null && (
            <>
              {' · '}
              <Link to="/subscriptions/$id" params={{ id: subscription.id }}>
                {subscription.acteur?.nom ?? words('nobody')}
              </Link>
            </>
          )}
          {namesSubscription && subscription === null && <> · {words('events.unknown')}</>}
        </>
      }
      actions={
        <>
          {event.can.includes('replay') && (
            <Button
              small
              icon="refresh"
              aria-label={words('events.replayNamed', { name })}
              isPending={replaying.isPending}
              onPress={() => replaying.submit()}
            >
              {words('events.replay')}
            </Button>
          )}
          {event.can.includes('settle') && (
            <Button
              small
              look="quiet"
              aria-label={ofSettling('named', { name })}
              onPress={() => setSettling(true)}
            >
              {ofSettling('settle')}
            </Button>
          )}
        </>
      }
    >
      {error !== null && (
        <p className={styles.reason}>
          {words(status === 'failed' ? 'events.because' : 'events.lastTry', {
            reason: reasonOf(error),
          })}
        </p>
      )}
      {status === 'failed' && !event.is_kept && <Soft>{words('events.cleared')}</Soft>}
      <p className={styles.code}>{id}</p>
      {isSettling && (
        <SettleDialog
          name={name}
          settle={(reason) => settleEvent(id, reason)}
          onClose={() => setSettling(false)}
          onSettled={() => void reload()}
        />
      )}
      {replaying.isError && <ShownFailure error={replaying.error} />}
    </OneLine>
  )
}
