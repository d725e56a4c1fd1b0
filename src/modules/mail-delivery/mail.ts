import type { MailKind } from '../../platform/mail/row-mails.ts'
import type { Notice } from '../users/administrators/jobs.ts'
import type { Count } from './queries.ts'

type Named = Pick<MailKind, 'name' | 'label'>

/** Tells administrators how many mails of each kind became uncertain. */
export function uncertainNotice(counts: Count[], kinds: Named[], until: string): Notice {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const lines = counts.map(({ kind, count }) => `- ${labelOf(kind, kinds)} : ${count}`)
  return {
    key: `mails-uncertain-${until.replaceAll(/\D/g, '')}`,
    subject: `Courriels dont l’arrivée est incertaine : ${total}`,
    text: [
      'Le serveur de messagerie n’a pas confirmé ces courriels, qui sont peut-être arrivés et peut-être pas :',
      lines.join('\n'),
      'Aucun n’est renvoyé de lui-même. Une réponse du support se renvoie depuis son fil. Le journal du serveur de messagerie dit ce qu’il a reçu.\n',
    ].join('\n\n'),
  }
}

const labelOf = (kind: string, kinds: Named[]) => kinds.find(({ name }) => name === kind)?.label ?? kind
