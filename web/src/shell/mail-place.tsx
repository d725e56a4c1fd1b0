import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type Methods, methodsQuery } from '../api/auth.ts'
import { type Me, meQuery } from '../api/queries.ts'
import { Soft } from '../ui/layout.tsx'

type Place = { mail: 'smtp' | 'files'; note: string | null }

/** Says where mails lie while no mail server is set, or that they are delayed; null otherwise. */
export function useNotes() {
  const words = useTranslations('mailPlace')
  return (me: Me | null | undefined, methods: Methods | undefined): Place => {
    const { mail = 'smtp', mails_delayed = false } = me ?? methods ?? {}
    if (mail === 'smtp') return { mail, note: mails_delayed ? words('delayed') : null }
    // Where they lie concerns those who run the service, and whoever signs in on its first day.
    const note = me?.outbox ? words('path', { outbox: me.outbox }) : words(me ? 'unsent' : 'outbox')
    return { mail, note }
  }
}

/** How mails leave, and what to say beside a sentence about one. */
export function useMailPlace(): Place {
  const placeOf = useNotes()
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const { data: methods } = useQuery({ ...methodsQuery, enabled: !me })
  return placeOf(me, methods)
}

/** Stands beside a sentence about a mail. */
export function MailNote() {
  const { note } = useMailPlace()
  return note === null ? null : <Soft>{note}</Soft>
}

/** Adds the note to a text that takes no elements. */
export const withNote = (text: string, note: string | null): string =>
  note === null ? text : `${text} ${note}`
