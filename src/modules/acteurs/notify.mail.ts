import { days, type Mail, mailOf } from '../../platform/mail/mail.ts'
import { type Ground, groundIn } from '../grounds/grounds.ts'

export type MailRow = {
  id: string
  /** The name of the acteur when it was deactivated. */
  title: string
  ground: Ground
  reason: string | null
  by_report: boolean
  at: string
  /** Until when the owner can object. */
  until: string
  nom: string | null
  address: string
  langue: 'fr' | 'en'
}

type Options = {
  from: string
  /** The page where the owner objects; null: there is no site. */
  objection: string | null
}

/** Builds the mail to an owner about the deactivation of an acteur. Its Message-ID is kept across retries. */
export function deactivatedMail(row: MailRow, to: string, { from, objection }: Options): Mail {
  const { id, title, ground, reason, by_report, at, until, nom, langue } = row
  const texts = textsIn[langue]
  const name = nom?.trim() ?? ''
  return mailOf({ to, from, name: `acteur-deactivated-${id}` }, texts.subject(title), [
    name === '' ? `${texts.hello},` : `${texts.hello} ${name},`,
    texts.first(title),
    [
      texts.since(days[langue].format(new Date(at))),
      `${texts[ground.kind]} ${groundIn(ground)}`,
      texts[by_report ? 'reported' : 'notReported'],
      texts.person,
    ].join('\n'),
    ...(reason === null ? [] : [`${texts.why}\n\n${reason}`]),
    [texts.object(days[langue].format(new Date(until)), objection !== null), objection]
      .filter(Boolean)
      .join('\n'),
    texts.farewell,
  ])
}

const fr = {
  hello: 'Bonjour',
  subject: (title: string) => `« ${title} » a été désactivé`,
  first: (title: string) =>
    `Nous avons désactivé « ${title} » : sa page et ses publications ne sont plus visibles du public. Rien n’est effacé.`,
  since: (day: string) => `Depuis le ${day}.`,
  rule: 'Règle :',
  law: 'Loi :',
  reported: 'Au moins un signalement visait ses publications.',
  notReported: 'Aucun signalement n’en est à l’origine.',
  person: 'Une personne a décidé, sans l’aide d’une machine.',
  why: 'Voici pourquoi :',
  object: (until: string, hasLink: boolean) =>
    `Si vous n’êtes pas d’accord, ou si la raison n’existe plus, vous pouvez contester jusqu’au ${until}${hasLink ? '' : ', dans votre espace'} ; une autre personne examinera votre réclamation${hasLink ? ' :' : '.'}`,
  farewell: 'Bien à vous,\nL’équipe',
}

const en: typeof fr = {
  hello: 'Hello',
  subject: (title) => `“${title}” has been deactivated`,
  first: (title) =>
    `We have deactivated “${title}”: the public no longer sees its page or its publications. Nothing is deleted.`,
  since: (day) => `Since ${day}.`,
  rule: 'Rule:',
  law: 'Law:',
  reported: 'At least one report was about its publications.',
  notReported: 'No report led to this.',
  person: 'A person decided, without the help of a machine.',
  why: 'Here is why:',
  object: (until, hasLink) =>
    `If you disagree, or if the reason no longer exists, you can complain until ${until}${hasLink ? '' : ', in your space'}; somebody else will examine your complaint${hasLink ? ':' : '.'}`,
  farewell: 'Kind regards,\nThe team',
}

const textsIn = { fr, en }
