import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../api/failure.ts'
import type { Me } from '../../api/queries.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { CodeForm } from '../../shell/sign-in/code-field.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { askForAddress, devicesQuery, takeAddress } from './queries.ts'

const isStatus = (error: unknown, status: number) => error instanceof ApiFailure && error.status === status

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
  const asking = useMutation({ mutationFn: askForAddress, onSuccess: (_sent, email) => onSent(email) })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const isAddress = /^\S+@\S+\.\S+$/.test(typed.trim())
    setMissing(!isAddress)
    if (isAddress) asking.mutate(typed.trim())
  }
  const isInvalid = isMissing || isStatus(asking.error, 422)
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
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
    </form>
  )
}

function CodeOfAddress({ email, onTaken }: { email: string; onTaken: (me: Me) => void }) {
  const words = useTranslations('account.changeAddress')
  const client = useQueryClient()
  const taking = useMutation({
    mutationFn: takeAddress,
    onSuccess: onTaken,
    // A 401 means a wrong code or an expired session. Loading the devices detects an expired session.
    onError: () => client.invalidateQueries(devicesQuery),
  })
  return (
    <div className={styles.form}>
      <p role="status">{words('sent', { email })}</p>
      <CodeForm
        label={words('code')}
        action={words('take')}
        error={isStatus(taking.error, 401) ? words('wrong') : null}
        isPending={taking.isPending}
        onCode={(code) => taking.mutate(code)}
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
