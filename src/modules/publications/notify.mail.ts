import { days, type Mail, mailOf } from '../../platform/mail/mail.ts'
import type { Ground } from '../grounds/grounds.ts'
import type { Restriction } from '../grounds/statements.ts'

export type MailReason = 'corrected' | Exclude<Restriction, 'deactivated'>

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
  /** Of a decision; null: a correction, or a decision of the version before. */
  statement: Statement | null
}

type Statement = {
  ground: Ground
  reason: string | null
  by_report: boolean
  by_machine: boolean
  decided_at: string
}

/**
 * Builds the mail about a decision or correction. Its Message-ID is kept across retries. `page`: of the publication, in
 * the space of its acteur or the back-office.
 */
export function authorMail(
  { id, kind, title, reason, nom, langue, statement }: MailRow,
  to: string,
  { from, page }: { from: string; page: string | null },
): Mail {
  const { hello, why, farewell, facts, ...texts } = textsIn[langue]
  const { subject, first, last } = texts[kind](title)
  const said = (statement?.reason ?? reason ?? '').trim()
  return mailOf({ to, from, name: `publication-${kind}-${id}` }, subject, [
    nom === null || nom.trim() === '' ? `${hello},` : `${hello} ${nom.trim()},`,
    first,
    ...(statement === null ? [] : [facts(statement)]),
    ...(said === '' ? [] : [`${why}\n\n${said}`]),
    page === null ? last : `${last}\n${page}`,
    farewell,
  ])
}

const groundIn = ({ label, text, reference }: Ground) =>
  `${label}. ${text}${reference === null ? '' : ` (${reference})`}`

const textsIn = {
  fr: {
    hello: 'Bonjour',
    why: 'Voici pourquoi :',
    farewell: 'Bien à vous,\nL’équipe',
    facts: ({ ground, by_report, by_machine, decided_at }: Statement) =>
      [
        `Depuis le ${days.fr.format(new Date(decided_at))}.`,
        `${ground.kind === 'law' ? 'Loi' : 'Règle'} : ${groundIn(ground)}`,
        by_report ? 'Un signalement a été reçu.' : 'Aucun signalement n’a été reçu.',
        by_machine
          ? 'Une machine l’a repérée ; une personne a décidé.'
          : 'Une personne a décidé, sans l’aide d’une machine.',
      ].join('\n'),
    rejected: (title: string) => ({
      subject: `« ${title} » a été rejetée`,
      first: `Nous avons relu « ${title} », mais nous ne pouvons pas la montrer au public.`,
      last: 'Vous pouvez la modifier : elle sera alors relue.',
    }),
    hidden: (title: string) => ({
      subject: `« ${title} » n’est plus visible`,
      first: `Nous avons retiré « ${title} » de la vue du public.`,
      last: 'Vous pouvez la modifier : elle sera alors relue.',
    }),
    deleted: (title: string) => ({
      subject: `« ${title} » a été supprimée`,
      first: `Nous avons supprimé « ${title} ».`,
      last: 'Vous pouvez en écrire une autre, sans ce que nous lui reprochons.',
    }),
    unfeatured: (title: string) => ({
      subject: `« ${title} » n’est plus mise en avant`,
      first: `« ${title} » reste visible, mais nous ne la mettons plus en avant.`,
      last: 'Vous pouvez la modifier.',
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
    facts: ({ ground, by_report, by_machine, decided_at }: Statement) =>
      [
        `Since ${days.en.format(new Date(decided_at))}.`,
        `${ground.kind === 'law' ? 'Law' : 'Rule'}: ${groundIn(ground)}`,
        by_report ? 'We received a report.' : 'We received no report.',
        by_machine
          ? 'A machine found it; a person decided.'
          : 'A person decided, without the help of a machine.',
      ].join('\n'),
    rejected: (title: string) => ({
      subject: `“${title}” has been rejected`,
      first: `We have reviewed “${title}”, but we cannot show it to the public.`,
      last: 'You can edit it: we will then review it again.',
    }),
    hidden: (title: string) => ({
      subject: `“${title}” is no longer visible`,
      first: `We have hidden “${title}” from the public.`,
      last: 'You can edit it: we will then review it again.',
    }),
    deleted: (title: string) => ({
      subject: `“${title}” has been deleted`,
      first: `We have deleted “${title}”.`,
      last: 'You can write another one, without what we object to.',
    }),
    unfeatured: (title: string) => ({
      subject: `“${title}” is no longer featured`,
      first: `“${title}” stays visible, but we no longer feature it.`,
      last: 'You can edit it.',
    }),
    corrected: (title: string) => ({
      subject: `“${title}” has been corrected`,
      first: `We have corrected “${title}”. You can find it among your publications, as it is now.`,
      last: 'If you are not happy with something, you can edit it yourself.',
    }),
  },
}
