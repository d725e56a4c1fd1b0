import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/export-button.tsx'
import { useLastPage } from '../../shell/last-page.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './claims.module.css'
import { type Claim, type ClaimsSearch, claimsQuery, filtersOf, perPage, statuses, tones } from './queries.ts'

const route = getRouteApi('/signed-in/claims')

export function ClaimsScreen() {
  const words = useTranslations('claims')
  const search = route.useSearch()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const claims = useQuery(claimsQuery(search))
  useLastPage(claims, search.page, perPage)
  const show = (changed: ClaimsSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/claims', search: { ...before, ...changed } })
  }
  const titleOf = ({ id, acteur }: Claim) => (
    <Link to="/claims/$id" params={{ id }} className={styles.title}>
      {acteur.nom}
    </Link>
  )
  const whoIs = ({ nom, email, telephone }: Claim) => nom ?? email ?? telephone ?? words('unnamed')
  const stateOf = ({ status, awaits_answer }: Claim) => (
    <span className={styles.meta}>
      <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>
      {awaits_answer && <Badge tone="accent">{words('awaits')}</Badge>}
    </span>
  )
  const columns: TableColumn<Claim>[] = [
    { id: 'acteur', title: words('acteur'), cell: titleOf },
    { id: 'who', title: words('claimant'), cell: whoIs },
    { id: 'state', title: words('state'), cell: stateOf },
    { id: 'created', title: words('created'), cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
  // On a small screen, one column shows all values below the name of the acteur.
  const whole: TableColumn<Claim> = {
    id: 'acteur',
    title: words('acteur'),
    cell: (claim) => (
      <div className={styles.whole}>
        {titleOf(claim)}
        <span className={styles.meta}>
          {stateOf(claim)}
          <span>{whoIs(claim)}</span>
          <Ago at={claim.created_at} />
        </span>
      </div>
    ),
  }
  return (
    <Page
      title={words('title')}
      actions={<ExportButton list="claims" query={filtersOf(search)} count={claims.data?.meta.total} />}
    >
      <div className={styles.filters}>
        <Search label={words('search')} q={search.q ?? ''} onSearch={(q) => show({ q: q || undefined })} />
        <Select
          label={words('state')}
          value={search.status ?? 'pending'}
          onChange={(status) => show({ status: status === 'pending' ? undefined : status })}
          options={[
            ...statuses.map((value) => ({ value, label: words(`status.${value}`) })),
            { value: 'all' as const, label: words('anyState') },
          ]}
        />
      </div>
      {claims.isPending && <Skeleton lines={8} />}
      {claims.isError && <ShownFailure error={claims.error} onRetry={() => void claims.refetch()} />}
      {claims.data && (
        <>
          <Table
            label={words('title')}
            items={claims.data.data}
            empty={
              <Empty icon="check" title={words('empty.title')}>
                <p>{words('empty.text')}</p>
              </Empty>
            }
            columns={isNarrow ? [whole] : columns}
          />
          <Pager
            page={search.page ?? 1}
            perPage={perPage}
            total={claims.data.meta.total}
            onPage={(page) => void navigate({ to: '/claims', search: { ...search, page } })}
          />
        </>
      )}
    </Page>
  )
}
