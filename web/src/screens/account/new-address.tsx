import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isAddress } from '../../api/auth.ts'
import { isStatus } from '../../api/failure.ts'
import type { Me } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { MailNote, useMailPlace } from '../../shell/mail-place.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { CodeForm } from '../../shell/sign-in/code-field.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Failure } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { askForAddress, devicesQuery, takeAddress } from './queries.ts'

/** Asks for the new address, then for the code sent to it. */
export function NewAddress({ onTaken }: { onTaken: (me: Me) => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return sentTo === null ? (
    <AddressForm onSent={setSentTo} />
  ) : (
    <CodeOfAddress email={sentTo} onTaken={onTaken} />
  )
}

function AddressForm({ onSent }: { onSent: (email: string) => void }) {
  const words = useTranslations()
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const asking = useSubmit({ mutationFn: askForAddress, onSuccess: (_sent, email) => onSent(email) })
  const submit = () => {
    const address = typed.trim()
    setMissing(!isAddress(address))
    if (isAddress(address)) asking.submit(address)
  }
  const isInvalid = isMissing || isStatus(asking.error, 422)
  return (
    <Form className={styles.form} onSubmit={submit}>
      <TextField
        label={words('account.changeAddress.new')}
        help={words('account.changeAddress.help')}
        type="email"
        autoComplete="email"
        isRequired
        autoFocus
        value={typed}
        onChange={setTyped}
        error={isInvalid ? words('signIn.emailNeeded') : null}
      />
      <Refusal error={asking.error} expected={422} />
      <Button look="primary" type="submit" wide isPending={asking.isPending}>
        {words('account.changeAddress.send')}
      </Button>
    </Form>
  )
}

function CodeOfAddress({ email, onTaken }: { email: string; onTaken: (me: Me) => void }) {
  const words = useTranslations('account.changeAddress')
  const client = useQueryClient()
  const { mail } = useMailPlace()
  const taking = useSubmit({
    mutationFn: takeAddress,
    onSuccess: onTaken,
    // A 401 means a wrong code or an expired session. Loading the devices detects an expired session.
    onError: () => client.invalidateQueries(devicesQuery),
  })
  return (
    <div className={styles.form}>
      <p role="status">{words('sent', { email, mail })}</p>
      <MailNote />
      <CodeForm
        label={words('code')}
        action={words('take')}
        error={isStatus(taking.error, 401) ? words('wrong') : null}
        isPending={taking.isPending}
        onCode={(code) => taking.submit(code)}
      />
      <Refusal error={taking.error} expected={401} />
    </div>
  )
}

/** Shows failures other than the `expected` status, which a field shows. */
function Refusal({ error, expected }: { error: unknown; expected: number }) {
  const words = useTranslations('account.changeAddress')
  if (error === null || isStatus(error, expected)) return null
  return isStatus(error, 409) ? <Failure message={words('taken')} /> : <ShownFailure error={error} />
}
