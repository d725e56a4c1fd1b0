import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isAddress } from '../../api/auth.ts'
import { isStatus } from '../../api/failure.ts'
import { useDraft } from '../../shell/drafts.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useFreshMailNote } from '../../shell/fresh-mail-note.ts'
import { MailNote, useMailPlace } from '../../shell/mail-place.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { invite } from './queries.ts'
import { type Role, roles } from './roles.ts'
import styles from './users.module.css'

const formId = 'invitation'

export function InvitationDialog({ onClose }: { onClose: () => void }) {
  const words = useTranslations()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [email, setEmail, clearEmail] = useDraft('invitation.email')
  const [nom, setNom, clearNom] = useDraft('invitation.name')
  const [chosen, setChosen] = useState<readonly Role[]>([])
  const [isMissing, setMissing] = useState(false)
  const { mail } = useMailPlace()
  const freshNote = useFreshMailNote()
  const inviting = useSubmit({
    mutationFn: invite,
    onSuccess: async ({ id }) => {
      const note = await freshNote()
      showToast({ title: words('users.invite.sent', { email, mail }), ...(note && { detail: note }) })
      clearEmail()
      clearNom()
      onClose()
      await client.invalidateQueries({ queryKey: ['users'] })
      await navigate({ to: '/users/$userId', params: { userId: id } })
    },
  })
  const submit = () => {
    const [address, name] = [email.trim(), nom.trim()]
    setMissing(!isAddress(address))
    if (isAddress(address))
      inviting.submit({ email: address, roles: [...chosen], ...(name && { nom: name }) })
  }
  const wrong = isMissing || isStatus(inviting.error, 422) ? words('signIn.emailNeeded') : null
  const taken = isStatus(inviting.error, 409) ? words('users.invite.taken') : null
  return (
    <Dialog
      title={words('users.invite.title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('ui.cancel')}</Button>
          <Button look="primary" type="submit" form={formId} isPending={inviting.isPending}>
            {words('users.invite.send')}
          </Button>
        </>
      }
    >
      <Form id={formId} isSaving={inviting.isPending} onSubmit={submit}>
        <TextField
          label={words('users.invite.email')}
          type="email"
          autoComplete="off"
          isRequired
          autoFocus
          value={email}
          onChange={setEmail}
          error={wrong ?? taken}
        />
        <TextField label={words('users.invite.name')} autoComplete="off" value={nom} onChange={setNom} />
        <fieldset className={styles.roles}>
          <legend className={styles.legend}>{words('users.invite.roles')}</legend>
          {roles.map((role) => (
            <Checkbox
              key={role}
              isSelected={chosen.includes(role)}
              onChange={(isChosen) =>
                setChosen(isChosen ? [...chosen, role] : chosen.filter((other) => other !== role))
              }
            >
              <span>
                {words(`roles.${role}`)}
                <span className={styles.about}>{words(`rolesAbout.${role}`)}</span>
              </span>
            </Checkbox>
          ))}
        </fieldset>
        <MailNote />
        {inviting.isError && wrong === null && taken === null && <ShownFailure error={inviting.error} />}
      </Form>
    </Dialog>
  )
}
