import type { ListedMailKind } from '../../platform/mail/row-mails.ts'
import type { Notice } from '../users/administrators.ts'
import type { Count } from './queries.ts'

type NoticeOptions = { kinds: Pick<ListedMailKind, 'name' | 'title'>[]; until: string; url: string }

/** Tells administrators how many mails of each kind became uncertain, and where to resend them. */
export function uncertainNotice(counts: Count[], { kinds, until, url }: NoticeOptions): Notice {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const lines = (langue: 'fr' | 'en', colon: string) =>
    counts
      .map(({ kind, count }) => {
        const title = kinds.find(({ name }) => name === kind)?.title[langue] ?? kind
        return `- ${title}${colon} ${count}`
      })
      .join('\n')
  const page = `${url}/backoffice/mails`
  return {
    key: `mails-uncertain-${until.replaceAll(/\D/g, '')}`,
    fr: {
      subject: `Courriels dont l’arrivée est incertaine : ${total}`,
      text: `Le serveur de messagerie n’a pas confirmé la réception de ces courriels ; on ne sait pas s’ils sont arrivés :

${lines('fr', ' :')}

Aucun n’est renvoyé automatiquement. L’écran Courriels les montre ; vous pouvez y renvoyer chacun de ceux qui sont encore utiles, ou indiquer qu’il n’y a rien à faire :

${page}

Une réponse de l’assistance se renvoie aussi depuis son échange. Le journal du serveur de messagerie dit ce qu’il a reçu.
`,
    },
    en: {
      subject: `Mails that may not have arrived: ${total}`,
      text: `The mail server did not confirm these mails, so they may or may not have arrived:

${lines('en', ':')}

None is resent automatically. The Mails screen lists them, and you can resend each there while there is still a reason to, or say that nothing is to be done:

${page}

A support reply can also be resent from its thread. The log of the mail server says what it received.
`,
    },
  }
}
