import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './imports.module.css'
import { perPage, runsQuery, type Source, sourcesQuery } from './queries.ts'
import { Runs } from './runs.tsx'
import { type ImportsSearch, runStatuses } from './search.ts'
import { lastErrorOf, stateOf, stateTones, useSaid } from './words.ts'

const route = getRouteApi('/signed-in/imports')

/** Sources of publications, the runs of all of them, and what unusual runs held back. */
export function ImportsScreen() {
  const words = useTranslations('imports')
  const { view = 'sources', ...search } = route.useSearch()
  const navigate = useNavigate()
  const held = useQuery(runsQuery({ held: true }))
  const change = (next: ImportsSearch) => void navigate({ to: '/imports', search: next })
  return (
    <Page
      title={words('title')}
      actions={
        <Button look="primary" icon="link" onPress={() => void navigate({ to: '/imports/new' })}>
          {words('add')}
        </Button>
      }
    >
      <Tabs
        label={words('views')}
        selected={view}
        onSelect={(id) => change(id === 'sources' ? {} : { view: id })}
        tabs={[
          {
            id: 'sources' as const,
            title: words('sources'),
            content: <Sources search={search} onChange={change} />,
          },
          {
            id: 'runs' as const,
            title: words('runs'),
            content: <AllRuns search={search} onChange={(next) => change({ view: 'runs', ...next })} />,
          },
          {
            id: 'held' as const,
            title: words('held'),
            ...(held.data && held.data.meta.total > 0 && { count: held.data.meta.total }),
            content: (
              <>
                <p className={styles.soft}>{words('heldNote')}</p>
                <Runs
                  filter={{ held: true, page: search.page }}
                  onPage={(page) => change({ view: 'held', page })}
                />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}

type ViewProps = { search: ImportsSearch; onChange: (search: ImportsSearch) => void }

function Sources({ search, onChange }: ViewProps) {
  const words = useTranslations('imports')
  const { q = '', page = 1 } = search
  const found = useQuery(sourcesQuery(search))
  return (
    <div className={styles.group}>
      <FilterRow>
        <Search
          label={words('search')}
          q={q}
          onSearch={(typed) => onChange(typed === '' ? {} : { q: typed })}
        />
      </FilterRow>
      <QueryState query={found} lines={6} />
      {found.data?.data.length === 0 && (
        <Empty icon="download" title={words(q === '' ? 'none.title' : 'noMatch')}>
          <p>{words('none.text')}</p>
          <Link to="/imports/new">{words('add')}</Link>
        </Empty>
      )}
      {found.data && found.data.data.length > 0 && (
        <Lines label={words('sources')}>
          {found.data.data.map((source) => (
            <SourceLine key={source.id} source={source} />
          ))}
        </Lines>
      )}
      {found.data && found.data.meta.total > perPage && (
        <Pager
          page={page}
          perPage={perPage}
          total={found.data.meta.total}
          onPage={(next) => onChange({ ...search, page: next })}
        />
      )}
    </div>
  )
}

function SourceLine({ source }: { source: Source }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const state = stateOf(source)
  const { id, nom, url, last_run, paused_reason } = source
  const error = paused_reason === null ? (last_run?.error ?? null) : lastErrorOf(paused_reason)
  return (
    <OneLine
      icon="download"
      title={
        <TitleLink to="/imports/$id" params={{ id }}>
          {nom}
        </TitleLink>
      }
      badge={<Badge tone={stateTones[state]}>{words(`state.${state}`)}</Badge>}
      note={
        <>
          {words(`type.${source.type}`)} · {hostOf(url)} ·{' '}
          {last_run === null ? (
            words('neverRun')
          ) : (
            <>
              {words('lastRun')} <Ago at={last_run.started_at} />
            </>
          )}
          {(state === 'paused' || state === 'failing') && error !== null && <> · {said(error)}</>}
        </>
      }
    />
  )
}

const hostOf = (url: string) => URL.parse(url)?.host || url

function AllRuns({ search, onChange }: ViewProps) {
  const words = useTranslations('imports')
  const { status, page } = search
  return (
    <div className={styles.group}>
      <FilterRow>
        <FilterSelect
          label={words('result')}
          any={words('anyStatus')}
          value={status}
          onChange={(chosen) => onChange({ status: chosen })}
          options={runStatuses.map((value) => ({ value, label: words(`status.${value}`) }))}
        />
      </FilterRow>
      <Runs
        filter={{ status, page }}
        onPage={(next) => onChange({ ...(status && { status }), page: next })}
      />
    </div>
  )
}
