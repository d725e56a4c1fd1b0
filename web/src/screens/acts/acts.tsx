import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { adminActsQuery, overdueActsQuery, perPage } from './queries.ts'
import type { AdminActsSearch, ListedAct } from './search.ts'
import { StateBadge } from './state.tsx'
import { actStates } from './states.ts'

const route = getRouteApi('/signed-in/acts')

/** Lists the acts of all mairies: first what should be on line and is not, then all of them, with what still waits. */
export function ActsScreen() {
  const words = useTranslations('acts')
  const ofActs = useTranslations('espace.acts')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const acts = useQuery(adminActsQuery(search))
  const show = (changed: AdminActsSearch) => {
    const { page: _first, ...before } = search
    void navigate({ search: { ...before, ...changed } })
  }
  return (
    <Page title={words('title')}>
      <Overdue />
      <Section title={words('all')}>
        <FilterRow>
          <FilterSelect
            label={words('show')}
            any={words('everything')}
            value={search.show}
            onChange={(shown) => show({ show: shown })}
            options={[
              ...actStates.map((value) => ({ value, label: ofActs(`states.${value}`) })),
              { value: 'unstamped' as const, label: words('unstamped') },
            ]}
          />
        </FilterRow>
        <QueryState query={acts} lines={8} />
        {acts.data?.data.length === 0 && (
          <Empty icon="document" title={words('none')}>
            <p>{words(search.show === 'unstamped' ? 'noneUnstamped' : 'noneText')}</p>
          </Empty>
        )}
        {acts.data && acts.data.data.length > 0 && (
          <Lines label={words('all')}>
            {acts.data.data.map((act) => (
              <ActLine key={act.id} act={act} />
            ))}
          </Lines>
        )}
        <ListPager list={acts} perPage={perPage} hidesSinglePage />
      </Section>
    </Page>
  )
}

/** What mairies should have published. Nothing while there is none. */
function Overdue() {
  const words = useTranslations('acts')
  const { data = [] } = useQuery(overdueActsQuery)
  if (data.length === 0) return null
  return (
    <Section title={words('overdue')} note={words('overdueNote')}>
      <Lines label={words('overdue')}>
        {data.map((due) => (
          <OverdueLine key={`${due.acteur.id} ${due.kind} ${due.council}`} due={due} />
        ))}
      </Lines>
    </Section>
  )
}

function OverdueLine({ due }: { due: components['schemas']['OverdueAct'] }) {
  const words = useTranslations('acts')
  const ofActs = useTranslations('espace.acts')
  const format = useFormatter()
  const dayOf = (day: string) => format.dateTime(noonOf(day), { dateStyle: 'medium' })
  return (
    <OneLine
      icon="clock"
      title={
        <TitleLink to="/acteurs/$id" params={{ id: due.acteur.id }}>
          {due.acteur.nom}
        </TitleLink>
      }
      note={words('dueSince', {
        kind: ofActs(`kinds.${due.kind}`),
        council: dayOf(due.council),
        due: dayOf(due.due),
      })}
    />
  )
}

function ActLine({ act }: { act: ListedAct }) {
  const words = useTranslations('acts')
  const ofActs = useTranslations('espace.acts')
  const { id, title, kind, number, acteur, state, stamping, published_at: at } = act
  const kindText = ofActs(`kinds.${kind}`)
  return (
    <OneLine
      icon="document"
      title={title}
      badge={<StateBadge state={state} />}
      note={
        <>
          <Link to="/acteurs/$id" params={{ id: acteur.id }}>
            {acteur.nom}
          </Link>{' '}
          · {number === null ? kindText : ofActs('kindAndNumber', { kind: kindText, number })}
          {at !== null && (
            <>
              {' '}
              · <Time at={at} />
            </>
          )}
        </>
      }
    >
      {stamping !== null && (
        <Soft>
          {words('waits', { attempts: stamping.attempts })}
          {stamping.problem !== null && ` ${stamping.problem}`}
        </Soft>
      )}
      {state !== 'draft' && <PublicSiteLink kind="actes" slug={id} />}
    </OneLine>
  )
}
