import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/export-button.tsx'
import { useLastPage } from '../../shell/last-page.ts'
import { ShownFailure, useFailureText } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './alertes.module.css'
import { EditAlerte } from './edit.tsx'
import { type Alerte, alertesQuery, deleteAlerte, filtersOf, perPage, updateAlerte } from './queries.ts'
import { type AlertesSearch, niveaux } from './search.ts'

const route = getRouteApi('/signed-in/alertes')
const tones = { info: 'plain', attention: 'warn', urgence: 'bad' } as const

/** Lists the alertes of communes and mairies, past ones included, to correct, end or delete them. */
export function AlertesScreen() {
  const words = useTranslations('alertes')
  const textOf = useFailureText()
  const search = route.useSearch()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const client = useQueryClient()
  const alertes = useQuery(alertesQuery(search))
  useLastPage(alertes, search.page, perPage)
  const isFiltered = search.niveau !== undefined || search.when !== undefined
  const [asked, setAsked] = useState<{ what: 'edit' | 'end' | 'delete'; alerte: Alerte } | null>(null)
  const show = (changed: AlertesSearch) => {
    const { page: _, ...before } = search
    void navigate({ to: '/alertes', search: { ...before, ...changed } })
  }
  const done = (title: string) => {
    setAsked(null)
    showToast({ title })
    void client.invalidateQueries({ queryKey: ['alertes'] })
  }
  const carryOut = (deed: Promise<unknown>, title: string) =>
    void deed.then(
      () => done(title),
      (error: unknown) => {
        setAsked(null)
        showToast({ title: words('notDone'), detail: textOf(error), isError: true })
        void client.invalidateQueries({ queryKey: ['alertes'] })
      },
    )
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
      {fin && (
        <span>
          {words('until')} <Time at={fin} />
        </span>
      )}
    </div>
  )
  const deedsOf = (alerte: Alerte) => (
    <div className={styles.deeds}>
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
    </div>
  )
  const columns: TableColumn<Alerte>[] = [
    { id: 'titre', title: words('titre'), cell: titleOf },
    { id: 'niveau', title: words('niveau'), cell: levelOf },
    { id: 'of', title: words('of'), cell: ofWhat },
    { id: 'until', title: words('period'), cell: periodOf },
    { id: 'deeds', title: words('deeds'), cell: deedsOf },
  ]
  // On a small screen, one column shows all values below the title.
  const whole: TableColumn<Alerte> = {
    id: 'titre',
    title: words('titre'),
    cell: (alerte) => (
      <div className={styles.whole}>
        {titleOf(alerte)}
        <span>
          {levelOf(alerte)} {ofWhat(alerte)}
        </span>
        {periodOf(alerte)}
        {deedsOf(alerte)}
      </div>
    ),
  }
  return (
    <Page
      title={words('title')}
      actions={<ExportButton list="alertes" query={filtersOf(search)} count={alertes.data?.meta.total} />}
    >
      <div className={styles.filters}>
        <Select
          label={words('when')}
          value={search.when ?? 'all'}
          onChange={(when) => show({ when: when === 'all' ? undefined : when })}
          options={(['all', 'current', 'others'] as const).map((value) => ({
            value,
            label: words(`whens.${value}`),
          }))}
        />
        <Select
          label={words('niveau')}
          value={search.niveau ?? 'all'}
          onChange={(niveau) => show({ niveau: niveau === 'all' ? undefined : niveau })}
          options={(['all', ...niveaux] as const).map((value) => ({
            value,
            label: words(`niveaux.${value}`),
          }))}
        />
      </div>
      {alertes.isPending && <Skeleton lines={8} />}
      {alertes.isError && <ShownFailure error={alertes.error} onRetry={() => void alertes.refetch()} />}
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
            columns={isNarrow ? [whole] : columns}
          />
          <Pager
            page={search.page ?? 1}
            perPage={perPage}
            total={alertes.data.meta.total}
            onPage={(page) => void navigate({ to: '/alertes', search: { ...search, page } })}
          />
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
          deed={words(asked.what)}
          isOpen
          onClose={() => setAsked(null)}
          onConfirm={() =>
            asked.what === 'end'
              ? carryOut(updateAlerte(asked.alerte, { fin: new Date().toISOString() }), words('isEnded'))
              : carryOut(deleteAlerte(asked.alerte), words('isDeleted'))
          }
        >
          <p>{words(`${asked.what}Text`)}</p>
        </Confirm>
      )}
    </Page>
  )
}

const isPast = (at: string | null) => at !== null && new Date(at) <= new Date()
