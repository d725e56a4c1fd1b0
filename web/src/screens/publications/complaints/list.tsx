import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ListPager } from '../../../shell/lists/list-pager.tsx'
import { ModerationTabs } from '../../../shell/navigation/moderation-tabs.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { TitleLink } from '../../../shell/records/links.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { FilterRow } from '../../../ui/filter-row.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Page } from '../../../ui/page.tsx'
import { Select } from '../../../ui/select.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { type Complaint, complaintsQuery, perPage } from './queries.ts'
import { type ComplaintsSearch, states } from './search.ts'
import { Age, State, useAbout } from './words.tsx'

const route = getRouteApi('/signed-in/complaints')

/** Objections to decisions: the open ones first, of which the oldest leads. */
export function ComplaintsScreen() {
  const words = useTranslations('complaints')
  const search = route.useSearch()
  const navigate = useNavigate()
  const complaints = useQuery(complaintsQuery(search))
  const { decidedOf, whoOf } = useAbout()
  const show = (state: NonNullable<ComplaintsSearch['state']>) =>
    void navigate({ to: '/complaints', search: state === 'open' ? {} : { state } })
  const titleOf = ({ id, title }: Complaint) => (
    <TitleLink to="/complaints/$id" params={{ id }}>
      {title}
    </TitleLink>
  )
  const stateOf = (complaint: Complaint) => (
    <Row as="span">
      <State complaint={complaint} />
      {complaint.decision === null && !complaint.can.includes('edit') && <span>{words('notYours')}</span>}
    </Row>
  )
  const columns: TableColumn<Complaint>[] = [
    { id: 'title', title: words('publication'), cell: titleOf },
    { id: 'about', title: words('contested'), cell: decidedOf },
    { id: 'who', title: words('who'), cell: whoOf },
    { id: 'state', title: words('state'), cell: stateOf },
    { id: 'age', title: words('received'), cell: (complaint) => <Age complaint={complaint} /> },
  ]
  const narrow = (complaint: Complaint) => (
    <>
      {titleOf(complaint)}
      <Row as="span">
        {stateOf(complaint)}
        <span>{decidedOf(complaint)}</span>
        <span>{whoOf(complaint)}</span>
        <Age complaint={complaint} />
      </Row>
    </>
  )
  return (
    <Page title={words('title')}>
      <ModerationTabs />
      <FilterRow>
        <Select
          label={words('state')}
          value={search.state ?? 'open'}
          onChange={show}
          options={[
            ...states.map((value) => ({ value, label: words(`states.${value}`) })),
            { value: 'all' as const, label: words('anyState') },
          ]}
        />
      </FilterRow>
      <QueryState query={complaints} lines={8} />
      {complaints.data && (
        <>
          <Table
            label={words('title')}
            items={complaints.data.data}
            empty={
              <Empty icon="check" title={words('empty.title')}>
                <p>{words('empty.text')}</p>
              </Empty>
            }
            columns={columns}
            narrow={narrow}
          />
          <ListPager list={complaints} perPage={perPage} />
        </>
      )}
    </Page>
  )
}
