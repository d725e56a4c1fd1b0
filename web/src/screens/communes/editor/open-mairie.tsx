import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { messageFor, wasSentBefore } from '../../../api/failure.ts'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { InvitedAddress } from '../../../shell/invited-address.tsx'
import { useMailPlace } from '../../../shell/mail-place.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type Commune, openMairie } from '../queries.ts'
import styles from './editor.module.css'

type OpenMairieProps = { commune: Pick<Commune, 'id' | 'nom' | 'mairie'>; onClose: () => void }

/** Form that opens the mairie of a commune: one address, whose reader becomes its owner. */
export function OpenMairie({ commune: { id, nom, mairie }, onClose }: OpenMairieProps) {
  const words = useTranslations('communes.opening')
  const client = useQueryClient()
  const draft = usePartDraft(`commune.${id}.opening`, { email: '' })
  const { email } = draft.mine
  const { note } = useMailPlace()
  const { submit, isPending, error } = useSubmit({
    mutationFn: () => openMairie(id, draft.key, { email: email.trim() }),
    onError: (failure) => {
      if (wasSentBefore(failure)) draft.renewKey()
    },
    onSuccess: (opened) => {
      draft.clear()
      showToast({ title: words('done', { nom: opened.nom, email }), ...(note && { detail: note }) })
      void client.invalidateQueries({ queryKey: ['communes'] })
      void client.invalidateQueries({ queryKey: ['acteurs'] })
      onClose()
    },
  })
  const wrong = messageFor(error, 'email')
  return (
    <Dialog
      title={words('title', { nom })}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="open-mairie" isPending={isPending}>
          {words('open')}
        </Button>
      }
    >
      <Form isSaving={isPending} id="open-mairie" className={styles.form} onSubmit={() => submit()}>
        <p>{mairie === null ? words('about') : words('aboutPresent', { nom: mairie.nom })}</p>
        {error !== null && wrong === null && <ShownFailure error={error} />}
        <InvitedAddress
          label={words('email')}
          help={words('emailHelp')}
          value={email}
          onChange={(typed) => draft.put({ email: typed })}
          error={wrong}
        />
      </Form>
    </Dialog>
  )
}
