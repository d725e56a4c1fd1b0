import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { Lines } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { EventLine } from './event.tsx'
import { eventsQuery, perPage } from './queries.ts'
import { eventStates } from './search.ts'

const route = getRouteApi('/signed-in/subscriptions/events')

/** Payment events: the failed ones, unless others are requested. Some name no known subscription. */
export function EventsScreen() {
  const words = useTranslations('subscriptions')
  const search = route.useSearch()
  const navigate = useNavigate()
  const events = useQuery(eventsQuery(search))
  return (
    <Page title={words('events.title')} back={<BackTo to="/subscriptions" title={words('title')} />}>
      <FilterRow>
        <Select
          label={words('state')}
          value={search.status ?? (search.event === undefined ? 'failed' : 'all')}
          onChange={(status) =>
            void navigate({ to: '/subscriptions/events', search: status === 'failed' ? {} : { status } })
          }
          options={[...eventStates, 'all' as const].map((value) => ({
            value,
            label: words(`events.states.${value}`),
          }))}
        />
      </FilterRow>
      <QueryState query={events} lines={6} />
      {events.data?.data.length === 0 && (
        <Empty icon="check" title={words('events.none')}>
          <p>{words('events.noneText')}</p>
        </Empty>
      )}
      {events.data && events.data.data.length > 0 && (
        <Lines label={words('events.title')}>
          {events.data.data.map((event) => (
            <EventLine key={event.id} event={event} namesSubscription />
          ))}
        </Lines>
      )}
      <ListPager list={events} perPage={perPage} />
    </Page>
  )
}
