import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ApiFailure, messageFor, wasSentBefore } from '../../../api/failure.ts'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useFirstWrong } from '../../../ui/use-first-wrong.ts'
import { codesOf, useFieldTexts } from '../fields.ts'
import { createCommune } from '../queries.ts'
import styles from './list.module.css'

const names = ['nom', 'code_insee', 'codes_postaux', 'region'] as const
const empty = { nom: '', code_insee: '', codes_postaux: '', region: '' }

type AddProps = { onClose: () => void; onAdded: (id: string) => void }

/** Form of a new commune: what identifies it. Its page has the rest. */
export function AddCommune({ onClose, onAdded }: AddProps) {
  const words = useTranslations('communes')
  const textsOf = useFieldTexts()
  const ofDraft = useTranslations('draft')
  const client = useQueryClient()
  const draft = usePartDraft('commune.new', empty)
  const { mine, key, put } = draft
  const { submit, isPending, error } = useSubmit({
    mutationFn: () =>
      createCommune(key, {
        nom: mine.nom.trim(),
        code_insee: mine.code_insee.trim().toUpperCase(),
        codes_postaux: codesOf(mine.codes_postaux),
        ...(mine.region.trim() !== '' && { region: mine.region.trim() }),
      }),
    onError: (failure) => {
      if (wasSentBefore(failure)) draft.renewKey()
    },
    onSuccess: ({ id, nom }) => {
      draft.clear()
      showToast({ title: words('new.added', { nom }) })
      void client.invalidateQueries({ queryKey: ['communes'] })
      onAdded(id)
    },
  })
  const form = useFirstWrong(error)
  const isTaken = error instanceof ApiFailure && error.code === 'conflict'
  const wrong = (name: (typeof names)[number]) =>
    name === 'code_insee' && isTaken
      ? words('new.taken')
      : messageFor(error, (field) => field.split('.')[0] === name)
  const field = (name: (typeof names)[number], more: { help?: string; isRequired?: boolean } = {}) => (
    <TextField
      {...textsOf(name)}
      value={mine[name]}
      onChange={(text) => put({ [name]: text })}
      error={wrong(name)}
      {...more}
    />
  )
  return (
    <Dialog
      title={words('new.title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {draft.isChanged && (
            <Button
              look="quiet"
              onPress={() => {
                draft.clear()
                onClose()
              }}
            >
              {ofDraft('discard')}
            </Button>
          )}
          <Button look="primary" type="submit" form="new-commune" isPending={isPending}>
            {words('new.add')}
          </Button>
        </>
      }
    >
      <Form
        isSaving={isPending}
        ref={form}
        id="new-commune"
        className={styles.form}
        onSubmit={() => submit()}
      >
        <p>{words('new.about')}</p>
        {error !== null && !isTaken && <ShownFailure error={error} />}
        {field('nom', { isRequired: true })}
        {field('code_insee', { isRequired: true, help: words('new.codeHelp') })}
        {field('codes_postaux')}
        {field('region', { help: words('new.regionHelp') })}
      </Form>
    </Dialog>
  )
}
