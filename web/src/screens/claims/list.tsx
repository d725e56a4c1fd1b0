import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { type Claim, claimantOf, claimsQuery, filtersOf, perPage, tones } from './queries.ts'
import { type ClaimsSearch, statuses } from './search.ts'

const route = getRouteApi('/signed-in/claims')

export function ClaimsScreen() {
  const words = useTranslations('claims')
  const search = route.useSearch()
  const navigate = useNavigate()
  const claims = useQuery(claimsQuery(search))
  const show = (changed: ClaimsSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/claims', search: { ...before, ...changed } })
  }
  const titleOf = ({ id, acteur }: Claim) => (
    <TitleLink to="/claims/$id" params={{ id }}>
      {acteur.nom}
    </TitleLink>
  )
  const whoOf = (claim: Claim) => claimantOf(claim) ?? words('unnamed')
  const stateOf = ({ status, awaits_answer, has_contact, has_rival, registers }: Claim) => (
    <Row as="span">
      <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>
      {awaits_answer && <Badge tone="accent">{words('awaits')}</Badge>}
      {status === 'pending' && registers && <Badge tone="accent">{words('isNew')}</Badge>}
      {has_rival && <Badge tone="warn">{words('hasRival')}</Badge>}
      {status === 'pending' && !has_contact && <Badge>{words('noContact')}</Badge>}
    </Row>
  )
  const columns: TableColumn<Claim>[] = [
    { id: 'acteur', title: words('acteur'), cell: titleOf },
    { id: 'who', title: words('claimant'), cell: whoOf },
    { id: 'state', title: words('state'), cell: stateOf },
    { id: 'created', title: words('created'), cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
  const narrow = (claim: Claim) => (
    <>
      {titleOf(claim)}
      <Row as="span">
        {stateOf(claim)}
        <span>{whoOf(claim)}</span>
        <Ago at={claim.created_at} />
      </Row>
    </>
  )
  return (
    <Page
      title={words('title')}
      actions={<ExportButton list="claims" query={filtersOf(search)} meta={claims.data?.meta} />}
    >
      <FilterRow>
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
      </FilterRow>
      <QueryState query={claims} lines={8} />
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
            columns={columns}
            narrow={narrow}
          />
          <ListPager list={claims} perPage={perPage} />
        </>
      )}
    </Page>
  )
}
