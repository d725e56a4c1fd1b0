import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import styles from './sign-in-form.module.css'

type CodeFormProps = {
  label: string
  action: string
  onCode: (code: string) => void
  isPending: boolean
  /** Error message for the last attempt. */
  error: string | null
  /** Less prominent and without initial focus: another method comes first. */
  quiet?: boolean
  takesFocus?: boolean
}

/** Six-digit code, submitted once complete. A refused code is selected, so that typing replaces it. */
export function CodeForm(props: CodeFormProps) {
  const { label, action, onCode, isPending, error, quiet = false, takesFocus = !quiet } = props
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // With the message, not after it: digits typed at once must replace the refused ones.
  useLayoutEffect(() => {
    if (error !== null) field.current?.select()
  }, [error])
  const change = (typed: string) => {
    const digits = typed.replaceAll(/\D/g, '').slice(0, 6)
    setCode(digits)
    if (digits.length === 6 && digits !== code) onCode(digits)
  }
  const submit = () => {
    if (code.length === 6) onCode(code)
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <TextField
        label={label}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
        autoFocus={takesFocus}
        code
        inputRef={field}
        value={code}
        onChange={change}
        error={error}
      />
      <Button
        look={quiet ? 'plain' : 'primary'}
        type="submit"
        wide
        isPending={isPending}
        isDisabled={code.length < 6}
      >
        {action}
      </Button>
    </Form>
  )
}
