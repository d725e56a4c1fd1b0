import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { meQuery } from '../../api/queries.ts'
import { Row, Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { QueryState } from '../query-state.tsx'
import { ScreenLink } from './links.tsx'
import { useShownValue } from './shown-value.ts'

/** The query keys under which the screens of each kind are reloaded: its history is reloaded with them. */
const keys = {
  publication: 'publications',
  acteur: 'acteurs',
  commune: 'communes',
  user: 'users',
  claim: 'claims',
  complaint: 'complaints',
  thread: 'threads',
  import_source: 'runs',
  subscription: 'subscriptions',
  defibrillateur: 'defibrillateurs',
  alerte: 'alertes',
  template: 'templates',
  publication_type: 'publication-types',
  app_source: 'app-sources',
  search_term: 'search-terms',
} as const

const shownEntries = 10
const longestValue = 80

const historyQuery = (kind: keyof typeof keys, id: string, language: string) =>
  queryOptions({
    queryKey: [keys[kind], 'entries', id, language],
    queryFn: ({ signal }) => {
      const query = { entity: [kind], entity_id: id, per_page: shownEntries }
      return got(api.GET('/api/v1/admin/audit', { signal, params: { query } }))
    },
  })

type RecordHistoryProps = { kind: keyof typeof keys; id: string }

/** What happened to a record, from the audit log, for those who open it. */
export function RecordHistory(props: RecordHistoryProps) {
  const { data: me } = useQuery(meQuery)
  return me?.areas.includes('audit') ? <Entries {...props} /> : null
}

function Entries({ kind, id }: RecordHistoryProps) {
  const words = useTranslations('recordHistory')
  const history = useQuery(historyQuery(kind, id, useLocale()))
  const entries = history.data?.data ?? []
  const total = history.data?.meta.total ?? 0
  const hasMore = total > entries.length
  return (
    <Section title={words('title')}>
      <QueryState query={history} lines={2} />
      {history.data && entries.length === 0 && <Soft>{words('empty')}</Soft>}
      {entries.length > 0 && (
        <Lines label={words('title')}>
          {entries.map(({ id: entry, at, summary, changes }) => (
            <OneLine
              key={entry}
              icon="history"
              title={summary}
              note={
                <>
                  <Time at={at} />
                  {changes.map((change) => (
                    <Change key={change.field} change={change} />
                  ))}
                </>
              }
            />
          ))}
        </Lines>
      )}
      {(hasMore || kind === 'acteur') && (
        <Row>
          {hasMore && (
            <ScreenLink small icon="history" to="/audit" search={{ record: id }}>
              {words('all', { count: total })}
            </ScreenLink>
          )}
          {kind === 'acteur' && (
            <ScreenLink small icon="history" to="/audit" search={{ acteur: id }}>
              {words('ofActeur')}
            </ScreenLink>
          )}
        </Row>
      )}
    </Section>
  )
}

function Change({ change }: { change: components['schemas']['AuditChange'] }) {
  const words = useTranslations('recordHistory')
  const shown = useShownValue()
  const { field, label, before, after, before_name, after_name, personal } = change
  const textOf = (value: unknown, name: string | null) => {
    const text = value === null ? words('nothing') : (name ?? shown(value, field))
    return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
  }
  if (personal) return <> · {words('personal', { label })}</>
  const values = { label, before: textOf(before, before_name), after: textOf(after, after_name) }
  return <> · {words('change', values)}</>
}
