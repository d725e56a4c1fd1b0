import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ListPager } from '../lists/list-pager.tsx'
import { QueryState } from '../query-state.tsx'
import { useFailureToast } from '../shown-failure.tsx'
import {
  type Delivery,
  type DeliveryState,
  deliveriesQuery,
  perPage,
  resendDelivery,
  type Webhook,
} from './queries.ts'
import { deliveryStates, type WebhooksSearch } from './search.ts'
import { useTypeName } from './types.ts'

type DeliveriesProps = {
  webhook: Webhook
  search: WebhooksSearch
  onSearch: (search: WebhooksSearch) => void
}

const tones: Record<DeliveryState, Tone> = { waiting: 'plain', delivered: 'good', failed: 'bad' }

/** What a webhook was sent, with what came back. */
export function Deliveries({ webhook, search, onSearch }: DeliveriesProps) {
  const words = useTranslations('webhooks')
  const lists = useTranslations('publications')
  const nameOf = useTypeName()
  const outcomeOf = useOutcome()
  const { state, page = 1 } = search
  const list = useQuery(deliveriesQuery(webhook.acteur_id, webhook.id, { state, page }))
  const actionOf = (delivery: Delivery) =>
    delivery.state !== 'waiting' &&
    webhook.disabled_at === null && <Resend webhook={webhook} delivery={delivery} />
  const stateOf = (delivery: Delivery) => (
    <Row as="span">
      <Badge tone={tones[delivery.state]}>{words(`deliveryStates.${delivery.state}`)}</Badge>
      <Soft as="span">{outcomeOf(delivery)}</Soft>
    </Row>
  )
  const columns: TableColumn<Delivery>[] = [
    { id: 'type', title: words('event'), cell: ({ type }) => nameOf(type) },
    { id: 'state', title: lists('state'), cell: stateOf },
    { id: 'at', title: words('when'), cell: ({ at }) => <Time at={at} /> },
    { id: 'again', title: words('again'), cell: actionOf },
  ]
  const narrow = (delivery: Delivery) => (
    <>
      <strong>{nameOf(delivery.type)}</strong>
      {stateOf(delivery)}
      <Row as="span">
        <Time at={delivery.at} />
        {actionOf(delivery)}
      </Row>
    </>
  )
  return (
    <>
      <FilterRow>
        <FilterSelect
          label={lists('state')}
          any={lists('anyState')}
          value={state}
          onChange={(chosen) => onSearch({ webhook: webhook.id, ...(chosen && { state: chosen }) })}
          options={deliveryStates.map((value) => ({ value, label: words(`deliveryStates.${value}`) }))}
        />
      </FilterRow>
      <QueryState query={list} lines={4} />
      {list.data && (
        <>
          <Table
            label={words('deliveries')}
            columns={columns}
            narrow={narrow}
            items={list.data.data}
            dependsOn={webhook.disabled_at}
            empty={
              <Empty icon="inbox" title={words(state ? 'noneOfState' : 'noDelivery.title')}>
                {!state && <p>{words('noDelivery.text')}</p>}
              </Empty>
            }
          />
          <ListPager list={list} perPage={perPage} hidesSinglePage />
        </>
      )}
    </>
  )
}

const knownProblems = [
  'bad_response',
  'bad_url',
  'connection',
  'disabled',
  'dns',
  'private_address',
  'secret',
  'timeout',
  'tls',
] as const

/** Returns a function that says what came back of the last attempt. */
function useOutcome() {
  const words = useTranslations('webhooks')
  return ({ status, problem, attempts, state }: Delivery): string => {
    const known = knownProblems.find((one) => one === problem)
    const outcome =
      status !== null
        ? words('status', { status: String(status) })
        : known !== undefined
          ? words(`problems.${known}`)
          : (problem ?? '')
    const count = state === 'delivered' && attempts === 1 ? '' : words('attempts', { count: attempts })
    return [outcome, count].filter((part) => part !== '').join(' · ')
  }
}

function Resend({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const words = useTranslations('webhooks')
  const nameOf = useTypeName()
  const showFailure = useFailureToast()
  const client = useQueryClient()
  const resending = useSubmit({
    mutationFn: () => resendDelivery(webhook, delivery.id),
    onSuccess: () => showToast({ title: words('resent') }),
    onError: (error) => showFailure(words('notResent'), error),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks', webhook.acteur_id] }),
  })
  return (
    <Button
      small
      icon="refresh"
      aria-label={words('resendNamed', { type: nameOf(delivery.type) })}
      isPending={resending.isPending}
      onPress={() => resending.submit()}
    >
      {words('resend')}
    </Button>
  )
}
