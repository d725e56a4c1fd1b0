import { days, type Mail, mailOf } from '../../platform/mail/mail.ts'
import type { Counts } from '../dashboard/counts.ts'
import type { DigestRow } from './queries.ts'

type Envelope = { to: string; from: string; url: string }
type Words = readonly [one: string, several: string]

/** Builds the mail about waiting work. Its Message-ID is kept across retries. */
export function digestMail(
  { id, langue }: Pick<DigestRow, 'id' | 'langue'>,
  waiting: Counts,
  { to, from, url }: Envelope,
): Mail {
  const { kinds, since, subject, paragraphs } = texts[langue]
  const lines = Object.entries(waiting).map(([key, { count, oldest_at }]) => {
    const words = kinds[key]?.[count < 2 ? 0 : 1] ?? key
    return `- ${count} ${words}${oldest_at === null ? '' : `, ${since(oldest_at)}`}`
  })
  const total = Object.values(waiting).reduce((sum, { count }) => sum + count, 0)
  return mailOf(
    { to, from, name: `digest-${id}`, html: langue },
    subject(total),
    paragraphs(lines.join('\n'), `${url}/backoffice/`, `${url}/backoffice/account`),
  )
}

type Text = {
  kinds: Readonly<Record<string, Words>>
  since: (time: Date) => string
  subject: (total: number) => string
  paragraphs: (lines: string, page: string, account: string) => string[]
}

export const texts: Readonly<Record<'fr' | 'en', Text>> = {
  fr: {
    kinds: {
      publications: ['publication à modérer', 'publications à modérer'],
      reports: ['publication signalée', 'publications signalées'],
      complaints: ['réclamation à trancher', 'réclamations à trancher'],
      claims: ['revendication à décider', 'revendications à décider'],
      threads: ['échange non lu', 'échanges non lus'],
      runs: ['import en échec', 'imports en échec'],
      payment_events: ['événement de paiement en échec', 'événements de paiement en échec'],
      mails: ['courriel dont l’arrivée est incertaine', 'courriels dont l’arrivée est incertaine'],
    },
    since: (time) => `depuis le ${days.fr.format(time)}`,
    subject: (total) => `À traiter aujourd’hui : ${total}`,
    paragraphs: (lines, page, account) => [
      'Bonjour,',
      `Voici ce qui est à traiter :\n\n${lines}`,
      `Tout est ici :\n\n${page}`,
      `Vous recevez ce message les jours ouvrés où quelque chose est à traiter. Pour ne plus le recevoir, ouvrez la page de votre compte :\n\n${account}`,
    ],
  },
  en: {
    kinds: {
      publications: ['publication to moderate', 'publications to moderate'],
      reports: ['reported publication', 'reported publications'],
      complaints: ['complaint to decide', 'complaints to decide'],
      claims: ['claim to decide', 'claims to decide'],
      threads: ['unread thread', 'unread threads'],
      runs: ['failed import', 'failed imports'],
      payment_events: ['failed payment event', 'failed payment events'],
      mails: ['mail that may not have arrived', 'mails that may not have arrived'],
    },
    since: (time) => `since ${days.en.format(time)}`,
    subject: (total) => `To handle today: ${total}`,
    paragraphs: (lines, page, account) => [
      'Hello,',
      `Here is what needs handling:\n\n${lines}`,
      `Everything is here:\n\n${page}`,
      `You get this mail on working days when something is waiting. To stop it, open your account page:\n\n${account}`,
    ],
  },
}
