import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { ExportButton } from '../../../shell/lists/export-button.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { TitleLink } from '../../../shell/records/links.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { countSet, FilterRow } from '../../../ui/filter-row.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { asFrenchWrites } from '../../../ui/moment.ts'
import { Page } from '../../../ui/page.tsx'
import { Search } from '../../../ui/search.tsx'
import { Select } from '../../../ui/select.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { CommunesPager } from '../pager.tsx'
import { isDepartement } from '../search.ts'
import styles from './activity.module.css'
import { activityQuery, type CommuneActivity, queryOf } from './queries.ts'
import { type ActivitySearch, sorts, uses } from './search.ts'

const route = getRouteApi('/signed-in/communes/activity')

/** Lists the communes by how much they are used. */
export function CommuneActivityScreen() {
  const words = useTranslations('communes.activity')
  const ofCommunes = useTranslations('communes')
  const format = useFormatter()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const activity = useQuery(activityQuery(search))
  const { departement, messages, sort = 'last_message_at_desc' } = search
  const show = (changed: { [Key in keyof ActivitySearch]: ActivitySearch[Key] | undefined }) => {
    const { page: _, after: __, ...before } = search
    void navigate({ search: { ...before, ...changed } as ActivitySearch })
  }
  const countedAt = activity.data?.meta.counted_at
  return (
    <Page
      title={words('title')}
      actions={<ExportButton list="communes/activity" query={queryOf(search)} meta={activity.data?.meta} />}
    >
      <FilterRow set={countSet(departement, messages)}>
        <Search
          label={ofCommunes('departement')}
          q={departement ?? ''}
          onSearch={(typed) => {
            const code = typed.toUpperCase()
            if (code === '' || isDepartement(code)) show({ departement: code || undefined })
          }}
        />
        <FilterSelect
          label={words('messages')}
          any={words('all')}
          value={messages}
          onChange={(chosen) => show({ messages: chosen })}
          options={uses.map((value) => ({ value, label: words(`uses.${value}`) }))}
        />
        <Select
          quietLabel
          label={ofCommunes('sort')}
          value={sort}
          onChange={(chosen) => show({ sort: chosen === 'last_message_at_desc' ? undefined : chosen })}
          options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        />
      </FilterRow>
      <QueryState query={activity} lines={10} />
      {activity.data && (
        <>
          <Soft>
            {countedAt
              ? words('countedAt', {
                  at: asFrenchWrites(
                    format.dateTime(new Date(countedAt), { dateStyle: 'long', timeStyle: 'short' }),
                  ),
                })
              : words('notCounted')}
          </Soft>
          {countedAt && <Found communes={activity.data.data} />}
          <CommunesPager
            search={search}
            meta={activity.data.meta}
            onShow={(shown) => void navigate({ search: shown })}
          />
        </>
      )}
    </Page>
  )
}

function Found({ communes }: { communes: readonly CommuneActivity[] }) {
  const words = useTranslations('communes.activity')
  const ofCommunes = useTranslations('communes')
  const nameOf = ({ id, nom, departement }: CommuneActivity) => (
    <span>
      <TitleLink to="/communes/$id" params={{ id }}>
        {nom}
      </TitleLink>{' '}
      <span className={styles.soft}>({departement})</span>
    </span>
  )
  const lastOf = ({ last_message_at: at }: CommuneActivity) =>
    at === null ? words('never') : <Time at={at} />
  const columns: TableColumn<CommuneActivity>[] = [
    { id: 'nom', title: ofCommunes('nom'), cell: nameOf },
    { id: 'last', title: words('last'), cell: lastOf },
    {
      ...{ id: 'collectes', title: words('collectes'), isFigure: true },
      cell: ({ collectes }) => ofCommunes('number', { count: collectes }),
    },
    {
      ...{ id: 'subscribers', title: words('subscribers'), isFigure: true },
      cell: ({ subscribers }) => ofCommunes('number', { count: subscribers }),
    },
  ]
  return (
    <Table
      label={words('title')}
      items={communes}
      empty={
        <Empty icon="search" title={ofCommunes('empty.title')}>
          <p>{words('empty')}</p>
        </Empty>
      }
      columns={columns}
      narrow={(commune) => (
        <>
          {nameOf(commune)}
          <Soft>
            {words('last')} · {lastOf(commune)}
          </Soft>
          <Soft>{words('figures', { collectes: commune.collectes, subscribers: commune.subscribers })}</Soft>
        </>
      )}
    />
  )
}
