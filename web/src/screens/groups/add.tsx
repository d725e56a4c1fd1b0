import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { messageFor, wasSentBefore } from '../../api/failure.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './groups.module.css'
import { NameFields } from './name-fields.tsx'
import { createGroup, groupQuery } from './queries.ts'
import type { GroupKind } from './search.ts'

const empty = { nom: '', kind: 'epci' as GroupKind }
const formId = 'new-group'

type AddProps = { onClose: () => void; onAdded: (id: string) => void }

/** Form of a new group: what names it. Its page has the rest. */
export function AddGroup({ onClose, onAdded }: AddProps) {
  const words = useTranslations('groupsOfCommunes')
  const client = useQueryClient()
  const draft = usePartDraft('group.new', empty)
  const { mine, key, put } = draft
  const { submit, isPending, error } = useSubmit({
    mutationFn: () => createGroup(key, { nom: mine.nom.trim(), kind: mine.kind }),
    onError: (failure) => {
      if (wasSentBefore(failure)) draft.renewKey()
    },
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
        <NameFields typed={mine} onChange={put} error={wrong} />
      </Form>
    </Dialog>
  )
}
