import { TextField } from '../ui/field.tsx'
import { useMailPlace, withNote } from './mail-place.tsx'

type InvitedAddressProps = {
  label: string
  help: string
  value: string
  onChange: (typed: string) => void
  error: string | null
}

/** Field of the address that an invitation is mailed to; says where the mail lies while no mail server is set. */
export function InvitedAddress({ help, ...field }: InvitedAddressProps) {
  const { note } = useMailPlace()
  return (
    <TextField {...field} help={withNote(help, note)} type="email" autoFocus isRequired autoComplete="off" />
  )
}
