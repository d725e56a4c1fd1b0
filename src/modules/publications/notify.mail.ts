import { type Mail, mailOf } from '../../platform/mail/mail.ts'

export type MailReason = 'rejected' | 'corrected'

export type MailRow = {
  id: string
  publication_id: string
  /** Whose space has its page; null for an author who is no member. */
  acteur_id: string | null
  kind: MailReason
  title: string
  reason: string | null
  nom: string | null
  address: string
  langue: 'fr' | 'en'
}

/**
 * Builds the mail about a rejection or correction. Its Message-ID is kept across retries. `page`: of the
 * publication, in the space of its acteur or the back-office.
 */
export function authorMail(
  { id, kind, title, reason, nom, langue }: MailRow,
  to: string,
  { from, page }: { from: string; page: string | null },
): Mail {
  const { hello, why, farewell, ...texts } = textsIn[langue]
  const { subject, first, last } = texts[kind](title)
  return mailOf({ to, from, name: `publication-${kind}-${id}` }, subject, [
    nom === null || nom.trim() === '' ? `${hello},` : `${hello} ${nom.trim()},`,
    first,
    ...(reason === null || reason.trim() === '' ? [] : [`${why}\n\n${reason.trim()}`]),
    page === null ? last : `${last}\n${page}`,
    farewell,
  ])
}

const textsIn = {
  fr: {
    hello: 'Bonjour',
    why: 'Voici pourquoi :',
    farewell: 'Bien à vous,\nL’équipe',
    rejected: (title: string) => ({
      subject: `« ${title} » a été rejetée`,
      first: `Nous avons relu « ${title} », mais nous ne pouvons pas la montrer au public.`,
      last: 'Vous pouvez la modifier : elle sera alors relue.',
    }),
    corrected: (title: string) => ({
      subject: `« ${title} » a été corrigée`,
      first: `Nous avons corrigé « ${title} ». Vous la retrouvez, telle qu’elle est maintenant, parmi vos publications.`,
      last: 'Si quelque chose ne vous convient pas, vous pouvez la modifier à votre tour.',
    }),
  },
  en: {
    hello: 'Hello',
    why: 'Here is why:',
    farewell: 'Kind regards,\nThe team',
    rejected: (title: string) => ({
      subject: `“${title}” has been rejected`,
      first: `We have reviewed “${title}”, but we cannot show it to the public.`,
      last: 'You can edit it: we will then review it again.',
    }),
    corrected: (title: string) => ({
      subject: `“${title}” has been corrected`,
      first: `We have corrected “${title}”. You can find it among your publications, as it is now.`,
      last: 'If you are not happy with something, you can edit it yourself.',
    }),
  },
}
