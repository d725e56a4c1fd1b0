import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { useAdds } from '../../shell/navigation/adds.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { countSet, FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Search } from '../../ui/search.tsx'
import { AddGroup } from './add.tsx'
import { groupsQuery, type ListedGroup, perPage } from './queries.ts'
import { type GroupsSearch, groupKinds } from './search.ts'

const route = getRouteApi('/signed-in/groups')

/** Lists the groups of communes, each with who publishes for it. */
export function GroupsScreen() {
  const words = useTranslations('groupsOfCommunes')
  const search = route.useSearch()
  const navigate = useNavigate()
  const groups = useQuery(groupsQuery(search))
  const [isAdding, setAdding] = useState(false)
  useAdds(() => setAdding(true))
  const show = (changed: { [Key in keyof GroupsSearch]: GroupsSearch[Key] | undefined }) => {
    const { page: _, ...before } = search
    void navigate({ to: '/groups', search: { ...before, ...changed } as GroupsSearch })
  }
  return (
    <Page
      title={words('title')}
      actions={
        <Button icon="plus" onPress={() => setAdding(true)}>
          {words('new.title')}
        </Button>
      }
    >
      <FilterRow set={countSet(search.kind)}>
        <Search
          label={words('search')}
          q={search.q ?? ''}
          onSearch={(typed) => show({ q: typed || undefined })}
        />
        <FilterSelect
          label={words('kind')}
          any={words('anyKind')}
          value={search.kind}
          onChange={(kind) => show({ kind })}
          options={groupKinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
        />
      </FilterRow>
      <QueryState query={groups} lines={10} />
      {groups.data?.data.length === 0 && (
        <Empty icon="search" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      )}
      {groups.data && groups.data.data.length > 0 && (
        <Lines label={words('title')}>
          {groups.data.data.map((group) => (
            <GroupLine key={group.id} group={group} />
          ))}
        </Lines>
      )}
      <ListPager list={groups} perPage={perPage} hidesSinglePage />
      {isAdding && (
        <AddGroup
          onClose={() => setAdding(false)}
          onAdded={(id) => void navigate({ to: '/groups/$id', params: { id } })}
        />
      )}
    </Page>
  )
}

function GroupLine({ group: { id, nom, kind, acteur, communes_count: count } }: { group: ListedGroup }) {
  const words = useTranslations('groupsOfCommunes')
  return (
    <OneLine
      icon="place"
      title={
        <TitleLink to="/groups/$id" params={{ id }}>
          {nom}
        </TitleLink>
      }
      note={
        <>
          {words(`kinds.${kind}`)} · {words('members', { count })} · {acteur?.nom ?? words('noActeur')}
        </>
      }
    />
  )
}
