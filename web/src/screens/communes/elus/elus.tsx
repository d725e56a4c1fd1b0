// biome-ignore lint/style/noRestrictedImports: moves queue up, and each is sent.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { useDeletedToast } from '../../../shell/deleted-toast.ts'
import { Conflict } from '../../../shell/editing/conflict.tsx'
import { same } from '../../../shell/editing/part-draft.ts'
import { Overtaken } from '../../../shell/editing/save.ts'
import { thumbnailOf } from '../../../shell/media/queries.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { DeletedRows } from '../deleted-rows.tsx'
import { type EditedCommune, useRestoreRow, useSaveCommune } from '../editing.ts'
import { useOpened } from '../editor/opened.ts'
import type { Elu } from '../queries.ts'
import { EluDialog } from './elu-dialog.tsx'
import styles from './elus.module.css'
import { PasteElus } from './paste-elus.tsx'
import { bodyOf, linesOf, nameOf } from './rows.ts'

type ElusProps = { commune: EditedCommune; maySend?: boolean }

/** Élus in the order of the public site: moved by pointer or keyboard, edited, added and removed. `maySend`: portraits too. */
export function Elus({ commune, maySend = true }: ElusProps) {
  const words = useTranslations('communes.elus')
  const order = useOrder(commune)
  const remove = useRemoval(commune)
  const { opened, open, close } = useOpened(commune.elus)
  const [isPasting, setPasting] = useState(false)
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys, items: Elu[]) =>
      items.filter(({ id }) => keys.has(id)).map((elu) => ({ 'text/plain': nameOf(elu) })),
    onReorder: ({ keys, target }) => {
      const moved = order.shown.filter(({ id }) => keys.has(id))
      const others = order.shown.filter(({ id }) => !keys.has(id))
      const at = others.findIndex(({ id }) => id === target.key) + (target.dropPosition === 'after' ? 1 : 0)
      order.save(others.toSpliced(at, 0, ...moved))
    },
  })
  return (
    <div className={styles.elus}>
      {order.conflict && (
        <Conflict
          mine={linesOf(order.conflict)}
          theirs={linesOf(commune.elus)}
          onKeepMine={order.keepMine}
          onTakeTheirs={order.drop}
        />
      )}
      {order.shown.length > 1 && <Soft>{words('help')}</Soft>}
      <GridList
        aria-label={words('list')}
        items={order.shown}
        dragAndDropHooks={dragAndDropHooks}
        className={styles.list}
        renderEmptyState={() => (
          <Empty icon="users" title={words('empty.title')}>
            <p>{words('empty.text')}</p>
          </Empty>
        )}
      >
        {(elu) => (
          <GridListItem id={elu.id} textValue={nameOf(elu)} className={styles.item}>
            <AriaButton slot="drag" className={styles.handle}>
              <Icon name="menu" />
            </AriaButton>
            {elu.photo && <img className={styles.portrait} src={thumbnailOf(elu.photo.id)} alt="" />}
            <div className={styles.words}>
              <strong className={styles.name}>{nameOf(elu)}</strong>
              <Soft as="span">{elu.fonction}</Soft>
            </div>
            <IconButton
              icon="edit"
              label={words('edit', { name: nameOf(elu) })}
              onPress={() => open(elu.id)}
            />
            <IconButton
              icon="close"
              label={words('remove', { name: nameOf(elu) })}
              onPress={() => remove(elu)}
            />
          </GridListItem>
        )}
      </GridList>
      <Row>
        <Button icon="user" onPress={() => open('new')}>
          {words('add')}
        </Button>
        <Button look="quiet" icon="list" onPress={() => setPasting(true)}>
          {words('paste')}
        </Button>
      </Row>
      <DeletedRows communeId={commune.id} kind="elu" />
      {isPasting && <PasteElus commune={commune} onClose={() => setPasting(false)} />}
      {opened !== null && (
        <EluDialog
          commune={commune}
          elu={opened === 'new' ? null : opened}
          maySend={maySend}
          onClose={close}
        />
      )}
    </div>
  )
}

/**
 * Shows a new order at once and saves it; one save at a time, in the order of the moves. If a colleague
 * changed the list meanwhile, nothing is saved and both versions are shown.
 */
function useOrder({ id, elus }: EditedCommune) {
  const save = useSaveCommune(id)
  const words = useTranslations('communes.elus')
  const showFailure = useFailureToast()
  const [moved, setMoved] = useState<Elu[] | null>(null)
  const [conflict, setConflict] = useState<Elu[] | null>(null)
  const saving = useMutation({
    scope: { id: `elus ${id}` },
    mutationFn: ({ before, after }: { before: Elu[] | null; after: Elu[] }) =>
      save((now) => {
        if (before !== null && !same(bodyOf(now.elus), bodyOf(before))) throw new Overtaken()
        return { elus: bodyOf(after) }
      }),
    onSuccess: (_, { after }) => {
      setMoved((shown) => (shown === after ? null : shown))
      showToast({ title: words('moved') })
    },
    onError: (error, { after }) => {
      setMoved(null)
      if (error instanceof Overtaken) setConflict(after)
      else showFailure(words('notMoved'), error)
    },
  })
  const shown = moved ?? elus
  return {
    shown,
    conflict,
    save: (after: Elu[]) => {
      setMoved(after)
      saving.mutate({ before: shown, after })
    },
    drop: () => setConflict(null),
    /** Applies the own order to the newest list: new élus come last, removed ones stay removed. */
    keepMine: () => {
      const known = new Map(elus.map((elu) => [elu.id, elu]))
      const mine = (conflict ?? []).flatMap((elu) => known.get(elu.id) ?? [])
      const added = elus.filter((elu) => !mine.includes(elu))
      setConflict(null)
      setMoved([...mine, ...added])
      saving.mutate({ before: elus, after: [...mine, ...added] })
    },
  }
}

/** Returns a function that removes an élu, with an undo in the toast. */
function useRemoval({ id }: EditedCommune) {
  const save = useSaveCommune(id)
  const putBack = useRestoreRow(id)
  const words = useTranslations('communes.elus')
  const showFailure = useFailureToast()
  const sayDeleted = useDeletedToast()
  return (elu: Elu) =>
    void save(({ elus }) => ({ elus: bodyOf(elus.filter((one) => one.id !== elu.id)) })).then(
      () => sayDeleted(words('removed', { name: nameOf(elu) }), () => putBack(elu), elu.id),
      (error: unknown) => showFailure(words('notRemoved'), error),
    )
}
