import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SearchCombo } from '../../shell/choices/search-combo.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './acteurs.module.css'
import { Compare } from './compare.tsx'
import { acteurQuery, type ListedActeur, mergeActeur, targetChoices } from './queries.ts'

const moved = ['publications', 'members', 'claims', 'subscriptions', 'others'] as const

type MergeProps = {
  acteur: ListedActeur
  /** The acteur that stays, if it is known already. */
  into?: Choice
  onClose: () => void
  onMerged: (target: string) => void
}

/**
 * Chooses which of two acteurs stays, shows both and what moves, and asks once more: nobody can undo a merge.
 */
export function Merge({ acteur, into, onClose, onMerged }: MergeProps) {
  const words = useTranslations('acteurs.merge')
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Choice | null>(into ?? null)
  const [isSwapped, setSwapped] = useState(false)
  const [isSure, setSure] = useState(false)
  const other = useQuery({ ...acteurQuery(chosen?.id ?? ''), enabled: chosen !== null })
  const second = chosen === null ? undefined : other.data
  const [leaves, stays] = isSwapped && second ? [second, acteur] : [acteur, second]
  const merging = useSubmit({
    mutationFn: (target: ListedActeur) => mergeActeur(leaves, target.id),
    onSuccess: (answer, target) => {
      showToast({ title: words('done', { nom: leaves.nom, target: target.nom }) })
      onMerged(answer.into)
    },
    onSettled: () => {
      setSure(false)
      return client.invalidateQueries({ queryKey: ['acteurs'] })
    },
  })
  return (
    <>
      <Dialog
        wide
        title={words('title', { nom: acteur.nom })}
        isOpen
        onClose={onClose}
        actions={
          <Button look="danger" isDisabled={stays === undefined} onPress={() => setSure(true)}>
            {words('next')}
          </Button>
        }
      >
        <div className={styles.form}>
          {merging.isError && <ShownFailure error={merging.error} />}
          {other.isError && <ShownFailure error={other.error} onRetry={() => void other.refetch()} />}
          <SearchCombo
            label={words('into')}
            help={words('intoHelp')}
            isRequired
            search={(q) => targetChoices(q, acteur)}
            chosen={chosen}
            onChoose={(choice) => {
              setChosen(choice)
              setSwapped(false)
            }}
          />
          {stays && <Compare leaves={leaves} stays={stays} />}
          {second?.can.includes('merge') && (
            <div>
              <Button small icon="refresh" onPress={() => setSwapped(!isSwapped)}>
                {words('swap')}
              </Button>
            </div>
          )}
          <div>
            <p>{words('moves')}</p>
            <ul className={styles.list}>
              {moved.map((what) => (
                <li key={what}>{words(`moved.${what}`)}</li>
              ))}
            </ul>
          </div>
          <Notice tone="warn" title={words('final')}>
            <p>{words('stays')}</p>
          </Notice>
        </div>
      </Dialog>
      {stays && (
        <Confirm
          wide
          title={words('sure', { nom: leaves.nom, target: stays.nom })}
          action={words('action')}
          isOpen={isSure}
          isPending={merging.isPending}
          onClose={() => setSure(false)}
          onConfirm={() => merging.submit(stays)}
        >
          <p>{words('sureText', { nom: leaves.nom, target: stays.nom })}</p>
          <Compare leaves={leaves} stays={stays} />
        </Confirm>
      )}
    </>
  )
}
