import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { useDeviceColumns } from '../../shell/records/defibrillateurs/columns.tsx'
import { ofCommuneQuery, perPage } from '../../shell/records/defibrillateurs/queries.ts'
import { Syncs } from '../../shell/records/defibrillateurs/syncs.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './editor/editor.module.css'

/** The defibrillators of a commune, and its syncs with the national registry. */
export function Defibrillateurs({ communeId }: { communeId: string }) {
  const words = useTranslations('communes.defibrillateurs')
  const { page = 1 } = useSearch({ strict: false })
  const columns = useDeviceColumns()
  const list = useQuery(ofCommuneQuery(communeId, page))
  const last = list.data?.meta.last_synced_at ?? null
  return (
    <div className={styles.defibrillateurs}>
      <Section title={words('count', { count: list.data?.meta.total ?? 0 })}>
        <QueryState query={list} lines={5} />
        {list.data && (
          <>
            <p>
              {words(last === null ? 'neverSynced' : 'lastSynced')} {last !== null && <Time at={last} />}
            </p>
            <Table
              label={words('list')}
              columns={columns}
              items={list.data.data}
              empty={
                <Empty icon="heart" title={words('none')}>
                  <p>{words('noneText')}</p>
                </Empty>
              }
            />
            <ListPager list={list} perPage={perPage} hidesSinglePage />
          </>
        )}
      </Section>
      <Section title={words('sync')}>
        <Syncs communeId={communeId} />
      </Section>
    </div>
  )
}
