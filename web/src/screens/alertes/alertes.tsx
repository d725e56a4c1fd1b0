import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './alertes.module.css'
import { EditAlerte } from './edit.tsx'
import { type Alerte, alertesQuery, deleteAlerte, filtersOf, perPage, updateAlerte } from './queries.ts'
import { type AlertesSearch, niveaux, whens } from './search.ts'

const route = getRouteApi('/signed-in/alertes')

type Ending = { what: 'end' | 'delete'; alerte: Alerte }
const tones = { info: 'plain', attention: 'warn', urgence: 'bad' } as const

/** Lists the alertes of communes and mairies, past ones included, to correct, end or delete them. */
export function AlertesScreen() {
  const words = useTranslations('alertes')
  const showFailure = useFailureToast()
  const search = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const alertes = useQuery(alertesQuery(search))
  const isFiltered = search.niveau !== undefined || search.when !== undefined
  const [asked, setAsked] = useState<{ what: 'edit'; alerte: Alerte } | Ending | null>(null)
  const show = (changed: AlertesSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/alertes', search: { ...before, ...changed } })
  }
  const done = (title: string) => {
    setAsked(null)
    showToast({ title })
    void client.invalidateQueries({ queryKey: ['alertes'] })
  }
  const ending = useSubmit({
    mutationFn: ({ what, alerte }: Ending): Promise<unknown> =>
      what === 'end' ? updateAlerte(alerte, { fin: new Date().toISOString() }) : deleteAlerte(alerte),
    onSuccess: (_, { what }) => done(words(what === 'end' ? 'isEnded' : 'isDeleted')),
    onError(error) {
      setAsked(null)
      showFailure(words('notDone'), error)
      void client.invalidateQueries({ queryKey: ['alertes'] })
    },
  })
  const titleOf = (alerte: Alerte) => (
    <div className={styles.words}>
      <strong>{alerte.titre}</strong>
      <span className={styles.message}>{alerte.message}</span>
    </div>
  )
  const levelOf = ({ niveau }: Alerte) => <Badge tone={tones[niveau]}>{words(`niveaux.${niveau}`)}</Badge>
  const ofWhat = ({ commune, acteur }: Alerte) => commune?.nom ?? acteur?.nom ?? ''
  const periodOf = ({ en_cours, debut, fin, created_at }: Alerte) => (
    <div className={styles.words}>
      {en_cours ? (
        <Badge tone="good">{words('whens.current')}</Badge>
      ) : (
        <Badge>{words(isPast(fin) ? 'ended' : 'toCome')}</Badge>
      )}
      <span>
        {words('from')} <Time at={debut ?? created_at} />
      </span>
      <span>
        {fin === null ? (
          words('endless')
        ) : (
          <>
            {words('until')} <Time at={fin} />
          </>
        )}
      </span>
    </div>
  )
  const actionsOf = (alerte: Alerte) => (
    <Row>
      <Button small onPress={() => setAsked({ what: 'edit', alerte })}>
        {words('edit')}
      </Button>
      {alerte.en_cours && (
        <Button small onPress={() => setAsked({ what: 'end', alerte })}>
          {words('end')}
        </Button>
      )}
      <Button small look="quiet" onPress={() => setAsked({ what: 'delete', alerte })}>
        {words('delete')}
      </Button>
    </Row>
  )
  const columns: TableColumn<Alerte>[] = [
    { id: 'titre', title: words('titre'), cell: titleOf },
    { id: 'niveau', title: words('niveau'), cell: levelOf },
    { id: 'of', title: words('of'), cell: ofWhat },
    { id: 'until', title: words('period'), cell: periodOf },
    { id: 'actions', title: words('actions'), cell: actionsOf },
  ]
  const narrow = (alerte: Alerte) => (
    <>
      {titleOf(alerte)}
      <span>
        {levelOf(alerte)} {ofWhat(alerte)}
      </span>
      {periodOf(alerte)}
      {actionsOf(alerte)}
    </>
  )
  return (
    <Page
      title={words('title')}
      actions={<ExportButton list="alertes" query={filtersOf(search)} count={alertes.data?.meta.total} />}
    >
      <FilterRow>
        <FilterSelect
          label={words('when')}
          any={words('whens.all')}
          value={search.when}
          onChange={(when) => show({ when })}
          options={whens.map((value) => ({ value, label: words(`whens.${value}`) }))}
        />
        <FilterSelect
          label={words('niveau')}
          any={words('niveaux.all')}
          value={search.niveau}
          onChange={(niveau) => show({ niveau })}
          options={niveaux.map((value) => ({ value, label: words(`niveaux.${value}`) }))}
        />
      </FilterRow>
      <QueryState query={alertes} lines={8} />
      {alertes.data && (
        <>
          <Table
            label={words('title')}
            items={alertes.data.data}
            empty={
              <Empty icon="bell" title={words(isFiltered ? 'notFound' : 'empty.title')}>
                {isFiltered ? (
                  <Button small onPress={() => void navigate({ to: '/alertes', search: {} })}>
                    {words('reset')}
                  </Button>
                ) : (
                  <p>{words('empty.text')}</p>
                )}
              </Empty>
            }
            columns={columns}
            narrow={narrow}
          />
          <ListPager list={alertes} perPage={perPage} />
        </>
      )}
      {asked?.what === 'edit' && (
        <EditAlerte
          alerte={asked.alerte}
          onClose={() => setAsked(null)}
          onSaved={() => done(words('saved'))}
        />
      )}
      {(asked?.what === 'end' || asked?.what === 'delete') && (
        <Confirm
          title={words(`${asked.what}Title`, { titre: asked.alerte.titre })}
          action={words(asked.what)}
          isOpen
          isPending={ending.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => ending.submit(asked)}
        >
          <p>{words(`${asked.what}Text`)}</p>
        </Confirm>
      )}
    </Page>
  )
}

const isPast = (at: string | null) => at !== null && new Date(at) <= new Date()
