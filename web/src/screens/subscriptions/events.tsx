import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useLastPage } from '../../shell/last-page.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { Lines } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Select } from '../../ui/select.tsx'
import { EventLine } from './event.tsx'
import { eventsQuery, perPage } from './queries.ts'
import { eventStates } from './search.ts'
import styles from './subscriptions.module.css'

const route = getRouteApi('/signed-in/subscriptions/events')

/** Payment events: the failed ones, unless others are requested. Some name no known subscription. */
export function EventsScreen() {
  const words = useTranslations('subscriptions')
  const search = route.useSearch()
  const navigate = useNavigate()
  const { data: events, ...loaded } = useQuery(eventsQuery(search))
  useLastPage({ data: events, ...loaded }, search.page, perPage)
  return (
    <Page title={words('events.title')}>
      <div>
        <Button look="quiet" small icon="back" onPress={() => void navigate({ to: '/subscriptions' })}>
          {words('title')}
        </Button>
      </div>
      <div className={styles.filters}>
        <Select
          label={words('state')}
          value={search.status ?? 'failed'}
          onChange={(status) =>
            void navigate({ to: '/subscriptions/events', search: status === 'failed' ? {} : { status } })
          }
          options={[...eventStates, 'all' as const].map((value) => ({
            value,
            label: words(`events.states.${value}`),
          }))}
        />
      </div>
      {loaded.isPending && <Skeleton lines={6} />}
      {loaded.isError && <ShownFailure error={loaded.error} onRetry={() => void loaded.refetch()} />}
      {events?.data.length === 0 && (
        <Empty icon="check" title={words('events.none')}>
          <p>{words('events.noneText')}</p>
        </Empty>
      )}
      {events && events.data.length > 0 && (
        <>
          <Lines label={words('events.title')}>
            {events.data.map((event) => (
              <EventLine key={event.id} event={event} namesSubscription />
            ))}
          </Lines>
          <Pager
            page={search.page ?? 1}
            perPage={perPage}
            total={events.meta.total}
            onPage={(page) => void navigate({ to: '/subscriptions/events', search: { ...search, page } })}
          />
        </>
      )}
    </Page>
  )
}
