import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useDeletedToast } from '../../../shell/deleted-toast.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { DeletedRows } from '../deleted-rows.tsx'
import { type EditedCommune, useRestoreRow, useSaveCommune } from '../editing.ts'
import { useOpened } from '../editor/opened.ts'
import type { Collecte } from '../queries.ts'
import { Secteurs } from '../secteurs/secteurs.tsx'
import { CollecteDialog } from './collecte-dialog.tsx'
import styles from './collectes.module.css'
import { dayInWords } from './days.ts'
import { useRhythm } from './rhythm.ts'
import { bodyOf } from './schedule.ts'
import { useWaste } from './waste.ts'

/** Waste collections of a commune, with the dates that the public sees. */
export function Collectes({ commune }: { commune: EditedCommune }) {
  const words = useTranslations('communes.collectes')
  const { opened, open, close } = useOpened(commune.collectes)
  const remove = useRemoval(commune)
  const [copied, setCopied] = useState<Collecte | null>(null)
  const [asked, setAsked] = useState<Collecte | null>(null)
  const { inWords } = useWaste()
  return (
    <div className={styles.collectes}>
      {commune.collectes.length === 0 ? (
        <Empty icon="clock" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      ) : (
        <Lines label={words('list')}>
          {commune.collectes.map((collecte) => (
            <OneLine
              key={collecte.id}
              icon="clock"
              title={collecte.libelle}
              badge={
                <>
                  <Badge>{inWords(collecte.type_dechet)}</Badge>
                  {collecte.secteur && <Badge>{collecte.secteur}</Badge>}
                </>
              }
              note={<WhenCollected collecte={collecte} />}
              actions={
                <>
                  <IconButton
                    icon="edit"
                    label={words('edit', { name: collecte.libelle })}
                    onPress={() => open(collecte.id)}
                  />
                  <IconButton
                    icon="copies"
                    label={words('copy', { name: collecte.libelle })}
                    onPress={() => setCopied(collecte)}
                  />
                  <IconButton
                    icon="close"
                    label={words('remove', { name: collecte.libelle })}
                    onPress={() => (collecte.exceptions.length > 0 ? setAsked(collecte) : remove(collecte))}
                  />
                </>
              }
            />
          ))}
        </Lines>
      )}
      <div>
        <Button icon="clock" onPress={() => open('new')}>
          {words('add')}
        </Button>
      </div>
      <DeletedRows communeId={commune.id} kind="collecte" />
      <Secteurs commune={commune} />
      {asked && (
        <Confirm
          title={words('removeTitle', { name: asked.libelle })}
          action={words('removeAction')}
          isOpen
          onClose={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null)
            remove(asked)
          }}
        >
          <p>{words('removeText', { count: asked.exceptions.length })}</p>
        </Confirm>
      )}
      {copied && (
        <CollecteDialog commune={commune} collecte={null} copyOf={copied} onClose={() => setCopied(null)} />
      )}
      {opened !== null && (
        <CollecteDialog commune={commune} collecte={opened === 'new' ? null : opened} onClose={close} />
      )}
    </div>
  )
}

function WhenCollected({ collecte }: { collecte: Collecte }) {
  const words = useTranslations('communes.collectes')
  const language = useLocale()
  const rhythm = useRhythm()(collecte)
  const dates = collecte.passages.map(({ date, jour_ferie }) => {
    const day = dayInWords(date, language, { weekday: 'short', day: 'numeric', month: 'short' })
    return jour_ferie ? words('uncertain', { day }) : day
  })
  return (
    <>
      {rhythm !== '' && `${rhythm}. `}
      {dates.length === 0 ? words('noDate') : words('next', { dates: dates.join(', ') })}
    </>
  )
}

/** Returns a function that removes a collecte, with an undo in the toast. */
function useRemoval({ id }: EditedCommune) {
  const save = useSaveCommune(id)
  const putBack = useRestoreRow(id)
  const words = useTranslations('communes.collectes')
  const showFailure = useFailureToast()
  const sayDeleted = useDeletedToast()
  return (collecte: Collecte) =>
    void save(({ collectes }) => ({
      collectes: collectes.filter((one) => one.id !== collecte.id).map(bodyOf),
    })).then(
      () => sayDeleted(words('removed', { name: collecte.libelle }), () => putBack(collecte), collecte.id),
      (error: unknown) => showFailure(words('notRemoved'), error),
    )
}
