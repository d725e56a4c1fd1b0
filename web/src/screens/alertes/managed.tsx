import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDeletedToast } from '../../shell/deleted-toast.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Row } from '../../ui/layout.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './alertes.module.css'
import { AlerteMessage, Level, Period } from './cells.tsx'
import { EditAlerte } from './edit.tsx'
import { type AlerteStore, type Managed, type PlacesProps, stateOf } from './store.ts'

type Ending<Alerte> = { what: 'end'; alerte: Alerte; isTold: boolean } | { what: 'delete'; alerte: Alerte }
type Asked<Alerte> = { what: 'edit'; alerte: Alerte } | Ending<Alerte>

type ManagedProps<Alerte extends Managed> = {
  alertes: readonly Alerte[]
  /** Name of the commune or mairie of an alerte. */
  of: (alerte: Alerte) => string
  /** Further line below the message, and what it is made of. */
  noteOf?: (alerte: Alerte) => ReactNode
  notes?: unknown
  store: AlerteStore
  /** Choice of the communes of an alerte, for those that have one. */
  placesOf?: (alerte: Alerte) => ComponentType<PlacesProps> | undefined
  empty: ReactNode
}

/** List of alertes, past ones included, to correct, end or delete them. */
export function ManagedAlertes<Alerte extends Managed>({
  alertes,
  of,
  noteOf,
  notes,
  store,
  placesOf,
  empty,
}: ManagedProps<Alerte>) {
  const words = useTranslations('alertes')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked<Alerte> | null>(null)
  const sayDeleted = useDeletedToast()
  const reload = () => void client.invalidateQueries({ queryKey: ['alertes'] })
  const done = (title: string) => {
    setAsked(null)
    showToast({ title })
    reload()
  }
  const ending = useSubmit({
    mutationFn: (ending: Ending<Alerte>): Promise<unknown> =>
      ending.what === 'end'
        ? store.update(ending.alerte, { fin: new Date().toISOString(), prevenir: ending.isTold })
        : store.remove(ending.alerte),
    onSuccess: (_, ending) => {
      if (ending.what === 'end') return done(words(ending.isTold ? 'isEndedTold' : 'isEnded'))
      setAsked(null)
      reload()
      sayDeleted(words('isDeleted'), () => store.restore(ending.alerte).finally(reload), ending.alerte.id)
    },
    onError(error) {
      setAsked(null)
      showFailure(words('notDone'), error)
      reload()
    },
  })
  const titleOf = (alerte: Alerte) => {
    const note = noteOf?.(alerte)
    return (
      <div className={styles.words}>
        <strong>{alerte.titre}</strong>
        <AlerteMessage alerte={alerte} />
        {note && <span className={styles.message}>{note}</span>}
      </div>
    )
  }
  const levelOf = (alerte: Alerte) => <Level alerte={alerte} />
  const periodOf = (alerte: Alerte) => <Period alerte={alerte} />
  const actionsOf = (alerte: Alerte) => <Actions alerte={alerte} onAsk={setAsked} />
  const isManaged = alertes.some(({ can }) => can.length > 0)
  const columns: TableColumn<Alerte>[] = [
    { id: 'titre', title: words('titre'), cell: titleOf },
    { id: 'niveau', title: words('niveau'), cell: levelOf },
    { id: 'of', title: words('of'), cell: of },
    { id: 'until', title: words('period'), cell: periodOf },
    ...(isManaged ? [{ id: 'actions', title: words('actions'), cell: actionsOf }] : []),
  ]
  const narrow = (alerte: Alerte) => (
    <>
      {titleOf(alerte)}
      <span>
        {levelOf(alerte)} {of(alerte)}
      </span>
      {periodOf(alerte)}
      {isManaged && actionsOf(alerte)}
    </>
  )
  return (
    <>
      <Table
        label={words('title')}
        items={alertes}
        dependsOn={notes}
        empty={empty}
        columns={columns}
        narrow={narrow}
      />
      {asked?.what === 'edit' && (
        <EditAlerte
          alerte={asked.alerte}
          store={store}
          Places={placesOf?.(asked.alerte)}
          onClose={() => setAsked(null)}
          onSaved={(isTold) => done(words(isTold ? 'savedTold' : 'saved'))}
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
          {asked.what === 'end' && (
            <Checkbox
              isSelected={asked.isTold}
              isDisabled={ending.isPending}
              onChange={(isTold) => setAsked({ ...asked, isTold })}
            >
              {words('tellEnd')}
            </Checkbox>
          )}
        </Confirm>
      )}
    </>
  )
}

type ActionsProps<Alerte> = { alerte: Alerte; onAsk: (asked: Asked<Alerte>) => void }

function Actions<Alerte extends Managed>({ alerte, onAsk }: ActionsProps<Alerte>) {
  const words = useTranslations('alertes')
  return (
    <Row>
      {alerte.can.includes('edit') && (
        <Button small onPress={() => onAsk({ what: 'edit', alerte })}>
          {words('edit')}
        </Button>
      )}
      {alerte.can.includes('edit') && stateOf(alerte) === 'current' && (
        <Button small onPress={() => onAsk({ what: 'end', alerte, isTold: false })}>
          {words('end')}
        </Button>
      )}
      {alerte.can.includes('delete') && (
        <Button small look="quiet" onPress={() => onAsk({ what: 'delete', alerte })}>
          {words('delete')}
        </Button>
      )}
    </Row>
  )
}
