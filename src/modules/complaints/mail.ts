import { type Mail, mailOf } from '../../platform/mail/mail.ts'
import type { Effect } from '../publications/decisions/reversing.ts'
import type { DecidedAs, Verdict } from './schema.ts'

export type About = {
  id: string
  kind: 'receipt' | 'answer' | 'reversed'
  langue: 'fr' | 'en'
  /** Null: a reporter. */
  nom: string | null
  title: string
  /** The complaint is about what became of a report. */
  isReport: boolean
  /** It is about the deactivation of an acteur. */
  isActeur: boolean
  text: string
  decision: Verdict | null
  answer: string | null
  effect: Effect | null
  decided_as: DecidedAs | null
}

type Envelope = { to: string; from: string; answers: Pick<Mail, 'replyTo' | 'bouncesTo'> }

/** Beginning of the names of all mails about complaints. */
export const named = 'reclamation-'
export const nameOf = ({ id, kind }: Pick<About, 'id' | 'kind'>) => `${named}${kind}-${id}`

/** Tells somebody that their complaint arrived or was decided, or others that a decision was reversed. */
export function complaintMail(about: About, { to, from, answers }: Envelope): Mail {
  const { id, kind, langue, nom } = about
  const texts = textsIn[langue]
  const { subject, paragraphs } = texts[kind](about)
  const greeting = nom === null || nom.trim() === '' ? `${texts.hello},` : `${texts.hello} ${nom.trim()},`
  const mail = mailOf({ to, from, name: nameOf({ id, kind }) }, subject, [
    greeting,
    ...paragraphs,
    texts.farewell,
  ])
  return { ...mail, ...answers }
}

type Text = { subject: string; paragraphs: string[] }
type Texts = { hello: string; farewell: string } & Record<About['kind'], (about: About) => Text>

const outcomeIn = {
  fr: ({ decision, effect, isReport, isActeur }: About) => {
    if (decision === 'upheld') return 'La décision est maintenue.'
    if (effect === 'restored')
      return isReport
        ? 'Vous aviez raison : votre signalement est de nouveau ouvert, et une personne va décider de nouveau.'
        : 'Vous aviez raison : ce que la décision avait retiré est rétabli.'
    if (effect === 'gone' && isActeur)
      return 'Vous aviez raison. Cet acteur a été supprimé depuis : il n’y a plus rien à rétablir.'
    return `Vous aviez raison. ${unchanged.fr[effect ?? 'already_lifted']}`
  },
  en: ({ decision, effect, isReport, isActeur }: About) => {
    if (decision === 'upheld') return 'The decision stays.'
    if (effect === 'restored')
      return isReport
        ? 'You were right: your report is open again, and somebody will decide anew.'
        : 'You were right: what the decision took is restored.'
    if (effect === 'gone' && isActeur)
      return 'You were right. The acteur has been deleted since: nothing is left to restore.'
    return `You were right. ${unchanged.en[effect ?? 'already_lifted']}`
  },
}

const unchanged: Record<'fr' | 'en', Record<Exclude<Effect, 'restored'>, string>> = {
  fr: {
    already_lifted: 'Il n’y avait plus rien à rétablir : la décision ne tenait déjà plus.',
    changed_since: 'Une autre décision a été prise depuis : elle tient, et peut être contestée à son tour.',
    gone: 'La publication a été supprimée depuis : il n’y a plus rien à rétablir.',
  },
  en: {
    already_lifted: 'Nothing was left to restore: the decision was not in force any more.',
    changed_since: 'Another decision was made since: it stays, and you can complain about it too.',
    gone: 'The publication has been deleted since: nothing is left to restore.',
  },
}

const fr: Texts = {
  hello: 'Bonjour',
  farewell: 'Bien à vous,\nL’équipe',
  receipt: ({ title, text }) => ({
    subject: `Votre réclamation : « ${title} »`,
    paragraphs: [
      `Nous avons bien reçu votre réclamation sur la décision qui concerne « ${title} ». Une autre personne que celle qui a décidé va la lire, et vous répondra ici.`,
      `Vous avez écrit :\n\n${text}`,
    ],
  }),
  answer: (about) => ({
    subject: `Réponse à votre réclamation : « ${about.title} »`,
    paragraphs: [
      `Nous avons examiné votre réclamation sur la décision qui concerne « ${about.title} ». ${outcomeIn.fr(about)}`,
      ...(about.answer === null ? [] : [about.answer]),
      about.decided_as === 'administrator'
        ? 'Un administrateur a tranché, sans machine : il n’y a pas d’autre modérateur que celui qui avait décidé.'
        : 'Une autre personne que celle qui avait décidé a tranché, sans machine.',
      ...(about.decision === 'upheld'
        ? [
            'Si vous n’êtes toujours pas d’accord, vous pouvez vous adresser à un organe certifié de règlement des litiges, ou au juge.',
          ]
        : []),
    ],
  }),
  reversed: ({ title }) => ({
    subject: `Une décision est annulée : « ${title} »`,
    paragraphs: [
      `Après une réclamation, nous avons annulé une décision qui concernait « ${title} ». Ce qu’elle avait retiré est rétabli.`,
    ],
  }),
}

const en: Texts = {
  hello: 'Hello',
  farewell: 'Kind regards,\nThe team',
  receipt: ({ title, text }) => ({
    subject: `Your complaint: “${title}”`,
    paragraphs: [
      `We received your complaint about the decision on “${title}”. Somebody else than the person who decided will read it, and answer you here.`,
      `You wrote:\n\n${text}`,
    ],
  }),
  answer: (about) => ({
    subject: `Answer to your complaint: “${about.title}”`,
    paragraphs: [
      `We examined your complaint about the decision on “${about.title}”. ${outcomeIn.en(about)}`,
      ...(about.answer === null ? [] : [about.answer]),
      about.decided_as === 'administrator'
        ? 'An administrator decided, without a machine: there is no other moderator than the one who had decided before.'
        : 'Somebody else than the person who had decided before decided, without a machine.',
      ...(about.decision === 'upheld'
        ? ['If you still disagree, you can turn to a certified body for settling disputes, or to a court.']
        : []),
    ],
  }),
  reversed: ({ title }) => ({
    subject: `A decision is reversed: “${title}”`,
    paragraphs: [`After a complaint, we reversed a decision on “${title}”. What it had taken is restored.`],
  }),
}

const textsIn = { fr, en }
