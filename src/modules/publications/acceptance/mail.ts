import { days, type Mail, mailOf } from '../../../platform/mail/mail.ts'

/** A publication that was accepted; `publie_le` null: somebody is to choose when it appears. */
export type Accepted = {
  id: string
  slug: string
  title: string
  publie_le: string | null
  is_shown: boolean
}

export type AcceptanceRow = {
  id: string
  nom: string | null
  address: string
  langue: 'fr' | 'en'
  /** The first of `total`. */
  publications: Accepted[]
  total: number
}

type Options = {
  from: string
  /** Where readers find a publication; null: there is no site. */
  pageOf: (publication: Accepted) => string | null
  /** Where these mails can be switched off; null: no application is served. */
  account: string | null
}

/** Builds the mail about accepted publications. Its Message-ID is kept across retries. */
export function acceptanceMail(row: AcceptanceRow, to: string, { from, pageOf, account }: Options): Mail {
  const { id, nom, langue, publications, total } = row
  const texts = textsIn[langue]
  const [one] = publications
  const isOne = total === 1 && one !== undefined
  const when = ({ is_shown, publie_le }: Accepted) =>
    is_shown || publie_le === null ? null : texts.later(days[langue].format(new Date(publie_le)))
  const linkOf = (publication: Accepted) => (publication.is_shown ? pageOf(publication) : null)
  const lines = (publication: Accepted) =>
    [`– ${texts.quoted(publication.title)}`, when(publication), linkOf(publication)]
      .filter((line) => line !== null)
      .join('\n  ')
  const about = isOne
    ? [[texts.one(one.title), when(one), linkOf(one)].filter((line) => line !== null).join('\n')]
    : [
        texts.several(total),
        [...publications.map(lines), ...texts.others(total - publications.length)].join('\n'),
      ]
  return mailOf(
    { to, from, name: `publication-accepted-${id}` },
    isOne ? texts.subject(one.title) : texts.subjectOf(total),
    [
      nom === null || nom.trim() === '' ? `${texts.hello},` : `${texts.hello} ${nom.trim()},`,
      ...about,
      texts.farewell,
      ...(account === null ? [] : [`${texts.stop}\n${account}`]),
    ],
  )
}

const fr = {
  hello: 'Bonjour',
  quoted: (title: string) => `« ${title} »`,
  subject: (title: string) => `« ${title} » est acceptée`,
  subjectOf: (total: number) => `${total} publications sont acceptées`,
  one: (title: string) => `Nous avons relu « ${title} » et l’avons acceptée.`,
  several: (total: number) => `Nous avons relu et accepté ${total} publications :`,
  later: (day: string) => `Elle paraîtra le ${day}.`,
  others: (count: number) => (count === 0 ? [] : [`Et ${count} ${count === 1 ? 'autre' : 'autres'}.`]),
  farewell: 'Merci, et bien à vous,\nL’équipe',
  stop: 'Vous ne voulez plus de ces messages ? Dites-le dans votre compte :',
}

const en: typeof fr = {
  hello: 'Hello',
  quoted: (title) => `“${title}”`,
  subject: (title) => `“${title}” has been accepted`,
  subjectOf: (total) => `${total} publications have been accepted`,
  one: (title) => `We have reviewed “${title}” and accepted it.`,
  several: (total) => `We have reviewed and accepted ${total} publications:`,
  later: (day) => `It will appear on ${day}.`,
  others: (count) => (count === 0 ? [] : [`And ${count} ${count === 1 ? 'other' : 'others'}.`]),
  farewell: 'Thank you, and kind regards,\nThe team',
  stop: 'You no longer want these messages? Say so in your account:',
}

const textsIn = { fr, en }
