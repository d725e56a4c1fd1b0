import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Combo } from '../../ui/combo.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './acteurs.module.css'
import { type Acteur, type Choice, mergeActeur, targetsQuery } from './queries.ts'

const moved = ['publications', 'members', 'claims', 'subscriptions', 'others'] as const

type MergeProps = { acteur: Acteur; onClose: () => void; onMerged: (target: Choice) => void }

/** Chooses the acteur to merge this one into, says what moves, and asks once more: nobody can undo it. */
export function Merge({ acteur, onClose, onMerged }: MergeProps) {
  const words = useTranslations('acteurs.merge')
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [target, setTarget] = useState<Choice | null>(null)
  const [isSure, setSure] = useState(false)
  const found = useQuery(targetsQuery(acteur.type, typed))
  const targets = found.data?.filter(({ id }) => id !== acteur.id) ?? []
  const merging = useMutation({
    mutationFn: (into: Choice) => mergeActeur(acteur, into.id),
    onSuccess: (answer, into) => onMerged({ ...into, id: answer.into }),
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
          <Button look="danger" isDisabled={target === null} onPress={() => setSure(true)}>
            {words('next')}
          </Button>
        }
      >
        <div className={styles.form}>
          {merging.isError && <ShownFailure error={merging.error} />}
          <Combo
            label={words('into')}
            help={words('intoHelp')}
            isRequired
            typed={typed}
            onType={setTyped}
            items={targets}
            chosen={target}
            onChoose={setTarget}
          />
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
      {target !== null && (
        <Confirm
          title={words('sure', { nom: acteur.nom, target: target.nom })}
          deed={words('deed')}
          isOpen={isSure}
          isPending={merging.isPending}
          onClose={() => setSure(false)}
          onConfirm={() => merging.mutate(target)}
        >
          <p>{words('sureText', { nom: acteur.nom, target: target.nom })}</p>
        </Confirm>
      )}
    </>
  )
}
