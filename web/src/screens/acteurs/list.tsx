import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChosen } from '../../shell/lists/chosen.ts'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { SelectAll } from '../../shell/lists/select-all.tsx'
import { Views } from '../../shell/lists/views/views.tsx'
import { useAdds } from '../../shell/navigation/adds.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './acteurs.module.css'
import { Bulk } from './bulk.tsx'
import { Filters } from './filters.tsx'
import { ActeurForm } from './form.tsx'
import { acteursQuery, type ListedActeur, queryOf, readMatchingActeurs } from './queries.ts'
import { type ActeursSearch, acteursSearch } from './search.ts'

const route = getRouteApi('/signed-in/acteurs')

/** List of the acteurs, deleted ones on request. The URL holds the filters. */
export function ActeursScreen() {
  const words = useTranslations('acteurs')
  const search = route.useSearch()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  useAdds(() => setAdding(true))
  const list = useInfiniteQuery(acteursQuery(search))
  const items = list.data?.pages.flatMap(({ data }) => data) ?? []
  const { chosen, setChosen, rows, clear, choose, drop } = useChosen(items)
  const meta = list.data?.pages[0]?.meta
  const total = meta?.total ?? 0
  const show = (next: ActeursSearch) => {
    clear()
    void navigate({ to: '/acteurs', search: next })
  }
  const nameOf = ({ id, nom }: ListedActeur) => (
    <TitleLink to="/acteurs/$id" params={{ id }}>
      {nom}
    </TitleLink>
  )
  const aboutOf = ({ type, commune }: ListedActeur) =>
    [words(`types.${type}`), commune?.nom].filter(Boolean).join(' · ')
  const columns: TableColumn<ListedActeur>[] = [
    { id: 'nom', title: words('nom'), cell: nameOf },
    { id: 'about', title: words('about'), cell: aboutOf },
    { id: 'state', title: words('state'), cell: (acteur) => <Marks acteur={acteur} /> },
    { id: 'created', title: words('created'), cell: ({ created_at }) => <Ago at={created_at} /> },
  ]
  const narrow = (acteur: ListedActeur) => (
    <>
      {nameOf(acteur)}
      <Soft as="span">{aboutOf(acteur)}</Soft>
      <Marks acteur={acteur} />
    </>
  )
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="acteurs" query={queryOf(search)} meta={list.data?.pages[0]?.meta} />
          <Button icon="edit" onPress={() => setAdding(true)}>
            {words('add')}
          </Button>
        </>
      }
    >
      <Filters search={search} onShow={show} />
      <Views list="acteurs" search={search} read={acteursSearch} onOpen={show} />
      <QueryState query={list} lines={10} />
      {list.data && (
        <>
          <Table
            label={words('title')}
            columns={columns}
            narrow={narrow}
            items={items}
            chosen={chosen}
            onChoose={setChosen}
            empty={
              <Empty icon="search" title={words('none')}>
                <Button small onPress={() => show({})}>
                  {words('reset')}
                </Button>
              </Empty>
            }
          />
          <Bulk
            rows={rows}
            selectAll={
              <SelectAll
                count={rows.length}
                meta={meta}
                read={() => readMatchingActeurs(search)}
                onSelect={choose}
              />
            }
            onDone={drop}
          />
          {items.length > 0 && (
            <div className={styles.more}>
              <span role="status">
                {words('shown', {
                  shown: items.length,
                  total,
                  isMore: String(meta?.total_is_at_least === true),
                })}
              </span>
              {list.hasNextPage && (
                <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
                  {words('more')}
                </Button>
              )}
            </div>
          )}
        </>
      )}
      {isAdding && (
        <ActeurForm
          acteur={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => void navigate({ to: '/acteurs/$id', params: { id } })}
        />
      )}
    </Page>
  )
}

type MarksProps = { acteur: Pick<ListedActeur, 'deleted_at' | 'active' | 'valide' | 'can_publish' | 'badge'> }

/** State of an acteur in words: what keeps it from the public first. */
export function Marks({ acteur }: MarksProps) {
  const words = useTranslations('acteurs.marks')
  return (
    <Row as="span">
      {acteur.deleted_at !== null && <Badge tone="bad">{words('deleted')}</Badge>}
      {!acteur.active && <Badge tone="warn">{words('inactive')}</Badge>}
      <Badge tone={acteur.valide ? 'good' : 'warn'}>{words(acteur.valide ? 'valid' : 'notValid')}</Badge>
      {acteur.can_publish && <Badge tone="accent">{words('publishes')}</Badge>}
      {acteur.badge !== null && <Badge>{acteur.badge}</Badge>}
    </Row>
  )
}
