import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import styles from './audit.module.css'
import { Entry } from './entry.tsx'
import { Filters } from './filters.tsx'
import { auditQuery, perPage, queryOf } from './queries.ts'
import { SealState } from './seals.tsx'
import type { AuditSearch } from './search.ts'

const route = getRouteApi('/signed-in/audit')

/** Shows who changed what and when, as sentences, with the state of the seals on top. */
export function AuditScreen() {
  const words = useTranslations('audit')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const entries = useQuery(auditQuery(search, useLocale()))
  const show = (changed: AuditSearch) => {
    const { page: _first, ...before } = search
    void navigate({ search: { ...before, ...changed } })
  }
  const hasFilter = Object.keys(search).some((name) => name !== 'page')
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="audit" query={queryOf(search)} meta={entries.data?.meta} />
          <Button icon="refresh" isPending={entries.isRefetching} onPress={() => void entries.refetch()}>
            {words('refresh')}
          </Button>
        </>
      }
    >
      <SealState />
      <Filters search={search} entries={entries.data?.data ?? []} onChange={show} />
      <QueryState query={entries} lines={8} />
      {entries.data?.meta.names_cut && <Notice title={words('namesCut')} />}
      {entries.data?.data.length === 0 && (
        <Empty icon="history" title={words(hasFilter ? 'notFound.title' : 'empty.title')}>
          <p>{words(hasFilter ? 'notFound.text' : 'empty.text')}</p>
          {hasFilter && <Button onPress={() => void navigate({ search: {} })}>{words('clear')}</Button>}
        </Empty>
      )}
      {entries.data && entries.data.data.length > 0 && (
        <ol className={styles.entries} aria-label={words('list')}>
          {entries.data.data.map((entry) => (
            <Entry key={entry.id} entry={entry} onShow={show} />
          ))}
        </ol>
      )}
      <ListPager list={entries} perPage={perPage} />
    </Page>
  )
}
