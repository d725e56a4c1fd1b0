import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { methodsQuery } from '../api/auth.ts'
import { meQuery } from '../api/queries.ts'
import { Soft } from '../ui/layout.tsx'

/** How mails leave, and the sentence that says where they lie while no mail server is set; null with one. */
export function useMailPlace() {
  const words = useTranslations('mailPlace')
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const { data: methods } = useQuery({ ...methodsQuery, enabled: !me })
  const mail = (me ?? methods)?.mail ?? 'smtp'
  // Where they lie concerns those who run the service, and whoever signs in on its first day.
  const files = me?.outbox ? words('path', { outbox: me.outbox }) : words(me ? 'unsent' : 'outbox')
  return { mail, note: mail === 'files' ? files : null }
}

/** Stands beside a sentence about a mail. */
export function MailNote() {
  const { note } = useMailPlace()
  return note === null ? null : <Soft>{note}</Soft>
}

/** Adds the note to a text that takes no elements. */
export const withNote = (text: string, note: string | null): string =>
  note === null ? text : `${text} ${note}`
