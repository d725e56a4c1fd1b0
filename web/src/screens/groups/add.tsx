import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './groups.module.css'
import { createGroup, groupQuery } from './queries.ts'
import { type GroupKind, groupKinds } from './search.ts'

const empty = { nom: '', kind: 'epci' as GroupKind }
const formId = 'new-group'

type AddProps = { onClose: () => void; onAdded: (id: string) => void }

/** Form of a new group: what names it. Its page has the rest. */
export function AddGroup({ onClose, onAdded }: AddProps) {
  const words = useTranslations('groupsOfCommunes')
  const client = useQueryClient()
  const draft = usePartDraft('group.new', empty)
  const { mine, put } = draft
  const { submit, isPending, error } = useSubmit({
    mutationFn: () => createGroup({ nom: mine.nom.trim(), kind: mine.kind }),
    onSuccess: (group) => {
      draft.clear()
      client.setQueryData(groupQuery(group.id).queryKey, group)
      void client.invalidateQueries({ queryKey: ['groups', 'list'] })
      showToast({ title: words('new.added', { nom: group.nom }) })
      onAdded(group.id)
    },
  })
  const form = useFirstWrong(error)
  const wrong = messageFor(error, 'nom')
  return (
    <Dialog
      title={words('new.title')}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={formId} isPending={isPending}>
          {words('new.add')}
        </Button>
      }
    >
      <Form ref={form} id={formId} isSaving={isPending} className={styles.form} onSubmit={() => submit()}>
        {error !== null && wrong === null && <ShownFailure error={error} />}
        <TextField
          label={words('nom')}
          isRequired
          maxLength={200}
          value={mine.nom}
          onChange={(nom) => put({ nom })}
          error={wrong}
        />
        <Select
          label={words('kind')}
          value={mine.kind}
          onChange={(kind) => put({ kind })}
          options={groupKinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
        />
      </Form>
    </Dialog>
  )
}
