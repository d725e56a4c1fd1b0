import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import type { MailRow } from './queries.ts'

/** Builds the mail about a rejection or correction. Its Message-ID is kept across retries. */
export function authorMail({ id, kind, title, reason, nom }: MailRow, to: string, from: string): Mail {
  const subject = kind === 'rejected' ? `Votre publication « ${title} »` : `« ${title} » a été corrigée`
  return mailOf({ to, from, name: `publication-${kind}-${id}` }, subject, [
    nom === null || nom.trim() === '' ? 'Bonjour,' : `Bonjour ${nom.trim()},`,
    ...(kind === 'rejected' ? rejected(title, reason) : corrected(title, reason)),
    'Bien à vous,\nL’équipe',
  ])
}

const rejected = (title: string, reason: string | null) => [
  `Nous avons relu « ${title} », mais nous ne pouvons pas la publier.`,
  ...why(reason),
  'Vous pouvez la modifier : elle sera alors relue.',
]

const corrected = (title: string, reason: string | null) => [
  `Nous avons corrigé « ${title} ». Vous la retrouvez, telle qu’elle est maintenant, parmi vos publications.`,
  ...why(reason),
  'Si quelque chose ne vous convient pas, vous pouvez la modifier de nouveau.',
]

const why = (reason: string | null) =>
  reason === null || reason.trim() === '' ? [] : [`Voici pourquoi :\n\n${reason.trim()}`]
