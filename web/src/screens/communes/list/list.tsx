import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../../shell/lists/export-button.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink, TitleLink } from '../../../shell/records/links.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { countSet, FilterRow } from '../../../ui/filter-row.tsx'
import { Row } from '../../../ui/layout.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { Page } from '../../../ui/page.tsx'
import { Search } from '../../../ui/search.tsx'
import { Select } from '../../../ui/select.tsx'
import { Table, type TableColumn } from '../../../ui/table.tsx'
import { CommunesPager } from '../pager.tsx'
import { communesQuery, type ListedCommune, queryOf } from '../queries.ts'
import { type CommunesSearch, gapNames, isDepartement, sorts } from '../search.ts'
import { AddCommune } from './add.tsx'
import styles from './list.module.css'

const route = getRouteApi('/signed-in/communes')

/** Lists the communes with what they lack. */
export function CommunesScreen() {
  const words = useTranslations('communes')
  const search = route.useSearch()
  const navigate = useNavigate()
  const communes = useQuery(communesQuery(search))
  const { q, departement, incomplete = [], sort = 'nom_asc' } = search
  const show = (changed: { [Key in keyof CommunesSearch]: CommunesSearch[Key] | undefined }) => {
    const { page: _, after: __, ...before } = search
    void navigate({ to: '/communes', search: { ...before, ...changed } as CommunesSearch })
  }
  const [isAdding, setAdding] = useState(false)
  const counts = communes.data?.meta.incomplete
  return (
    <Page
      title={words('title')}
      actions={
        <Row>
          <ScreenLink icon="history" to="/communes/activity">
            {words('activity.title')}
          </ScreenLink>
          <Button icon="plus" onPress={() => setAdding(true)}>
            {words('new.title')}
          </Button>
          <ExportButton list="communes" query={queryOf(search)} meta={communes.data?.meta} />
        </Row>
      }
    >
      <FilterRow set={countSet(departement, ...incomplete)}>
        <Search label={words('search')} q={q ?? ''} onSearch={(typed) => show({ q: typed || undefined })} />
        <Search
          label={words('departement')}
          q={departement ?? ''}
          onSearch={(typed) => {
            const code = typed.toUpperCase()
            if (code === '' || isDepartement(code)) show({ departement: code || undefined })
          }}
        />
        <Select
          quietLabel
          label={words('sort')}
          value={sort}
          onChange={(chosen) => show({ sort: chosen === 'nom_asc' ? undefined : chosen })}
          options={sorts.map((value) => ({ value, label: words(`sorts.${value}`) }))}
        />
        <fieldset className={styles.gaps}>
          <legend className={styles.legend}>{words('incomplete')}</legend>
          {gapNames.map((gap) => (
            <Checkbox
              key={gap}
              isSelected={incomplete.includes(gap)}
              onChange={(isAsked) => {
                const asked = gapNames.filter((name) => (name === gap ? isAsked : incomplete.includes(name)))
                show({ incomplete: asked.length > 0 ? asked : undefined })
              }}
            >
              {counts ? words(`lackingCount.${gap}`, { count: counts[gap] }) : words(`lacking.${gap}`)}
            </Checkbox>
          ))}
        </fieldset>
      </FilterRow>
      <QueryState query={communes} lines={10} />
      {communes.data && (
        <>
          <Found communes={communes.data.data} />
          <CommunesPager
            search={search}
            meta={communes.data.meta}
            onShow={(shown) => void navigate({ to: '/communes', search: shown })}
          />
        </>
      )}
      {isAdding && (
        <AddCommune
          onClose={() => setAdding(false)}
          onAdded={(id) => void navigate({ to: '/communes/$id', params: { id } })}
        />
      )}
    </Page>
  )
}

function Found({ communes }: { communes: readonly ListedCommune[] }) {
  const words = useTranslations('communes')
  const isNarrow = useNarrow()
  const nameOf = ({ id, nom, departement }: ListedCommune) => (
    <span>
      <TitleLink to="/communes/$id" params={{ id }}>
        {nom}
      </TitleLink>{' '}
      <span className={styles.soft}>({departement})</span>
    </span>
  )
  const populationOf = ({ population }: ListedCommune) =>
    population === null ? words('unknown') : words('number', { count: population })
  const gapsOf = ({ gaps }: ListedCommune) => (
    <Row as="span">
      {gaps.length === 0 && <Badge tone="good">{words('complete')}</Badge>}
      {gaps.map((gap) => (
        <Badge key={gap} tone="warn">
          {words(`lackingShort.${gap}`)}
        </Badge>
      ))}
    </Row>
  )
  const columns: TableColumn<ListedCommune>[] = [
    { id: 'nom', title: words('nom'), cell: nameOf },
    { id: 'code', title: words('code'), cell: ({ code_insee }) => code_insee },
    { id: 'population', title: words('population'), isFigure: true, cell: populationOf },
    { id: 'gaps', title: words('gaps'), cell: gapsOf },
  ]
  // On a small screen, what is missing stands below the name.
  const whole: TableColumn<ListedCommune>[] = [
    {
      id: 'nom',
      title: `${words('nom')}, ${words('gaps').toLowerCase()}`,
      cell: (commune) => (
        <div className={styles.whole}>
          {nameOf(commune)}
          {gapsOf(commune)}
        </div>
      ),
    },
    { id: 'population', title: words('population'), isFigure: true, cell: populationOf },
  ]
  return (
    <Table
      label={words('title')}
      items={communes}
      empty={
        <Empty icon="search" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      }
      columns={isNarrow ? whole : columns}
    />
  )
}
