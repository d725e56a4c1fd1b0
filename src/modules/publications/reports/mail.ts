import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import { type Ground, groundIn } from '../../grounds/grounds.ts'
import type { EndedBy, Following, Outcome } from './cases.ts'

type Envelope = { to: string; from: string }
type About = {
  id: string
  kind: 'receipt' | 'outcome' | 'followed'
  langue: 'fr' | 'en'
  title: string
  /** Null where the address is not confirmed: a stranger could greet its owner with anything. */
  name: string | null
  /** The page that confirms the address; null: it is confirmed, or there is no site. */
  link: string | null
  /** The page where the reporter objects to the outcome; null: there is no site, or nothing to object to. */
  objection: string | null
  /** The form of the support; null: there is no site. */
  contact: string | null
  outcome: Outcome | null
  ended_by: EndedBy | null
  ground: Ground | null
  followed_by: Following | null
}

/** Tells a reporter that the report arrived, what became of it, or what followed. */
export function reporterMail(about: About, { to, from }: Envelope): Mail {
  const { id, kind, langue, title, name } = about
  const texts = textsIn[langue]
  const { subject, paragraphs } = texts[kind](about)
  return mailOf({ to, from, name: `signalement-${id}`, html: langue }, texts.about(subject, title), [
    name === null || !isName(name) ? `${texts.hello},` : `${texts.hello} ${name},`,
    ...paragraphs,
  ])
}

/** Letters only: no address of a page, no number to call. */
const isName = (name: string) => /^[\p{L}\p{M}'’ -]{1,80}$/u.test(name)

type Text = { subject: string; paragraphs: string[] }
type Texts = Record<About['kind'], (about: About) => Text> & {
  hello: string
  about: (subject: string, title: string) => string
}

const fr: Texts = {
  hello: 'Bonjour',
  about: (subject, title) => `${subject} : « ${title} »`,
  receipt: ({ title, link }) => ({
    subject: 'Votre signalement',
    paragraphs: [
      `Nous avons bien reçu votre signalement de « ${title} ». Une personne va le lire, et vous saurez ici ce qui a été décidé. L’auteur de la publication ne saura pas qui l’a signalée.`,
      ...(link === null
        ? []
        : [`Confirmez ici que cette adresse est la vôtre, pour ne manquer aucune réponse :\n${link}`]),
      'Si vous n’avez rien signalé, quelqu’un a donné votre adresse par erreur : il n’y a rien à faire.',
    ],
  }),
  outcome: ({ title, outcome, ended_by, ground, followed_by, objection, contact }) => ({
    subject: 'Suite de votre signalement',
    paragraphs: [
      `Vous aviez signalé « ${title} ». ${decidedFr[outcome ?? 'kept']}`,
      ...(followed_by === 'restored' ? ['Depuis, elle est de nouveau visible.'] : []),
      [
        ...(ground === null ? [] : [`${groundsFr(ground, outcome)} : ${groundIn(ground)}`]),
        decidersFr[ended_by ?? 'team'],
      ].join('\n'),
      objection === null
        ? writingFr(contact)
        : `Si vous n’êtes pas d’accord, vous pouvez contester pendant six mois ; une autre personne examinera votre réclamation :\n${objection}`,
    ],
  }),
  followed: ({ title, followed_by, contact }) => ({
    subject: 'Votre signalement, de nouveau',
    paragraphs: [
      `Nous vous avions dit ce qui avait été décidé de « ${title} ».`,
      followed_by === 'reopened'
        ? 'Cela ne tient plus : une personne va relire votre signalement, et vous saurez ici ce qui a été décidé.'
        : 'Depuis, elle est de nouveau visible.',
      writingFr(contact),
    ],
  }),
}

/** Outcomes that took nothing: their ground is the one by which the publication was examined. */
const tookNothing: readonly (Outcome | null)[] = ['kept', 'unfounded', 'corrected']

const groundsFr = ({ kind }: Ground, outcome: Outcome | null) =>
  `${kind === 'law' ? 'Loi' : 'Règle'}${tookNothing.includes(outcome) ? ' examinée' : ''}`

const groundsEn = ({ kind }: Ground, outcome: Outcome | null) =>
  `${kind === 'law' ? 'Law' : 'Rule'}${tookNothing.includes(outcome) ? ' considered' : ''}`

const decidedFr: Record<Outcome, string> = {
  kept: 'Nous l’avons lue : elle reste visible.',
  unfounded: 'Nous l’avons lue, et nous n’avons pas retenu ce signalement.',
  corrected: 'Elle a été corrigée.',
  rejected: 'Nous l’avons retirée : elle n’est plus visible.',
  duplicate: 'Elle était publiée deux fois : une seule reste visible.',
  hidden: 'Nous l’avons retirée de la vue du public.',
  deleted: 'Nous l’avons supprimée.',
  withdrawn: 'Ceux qui l’avaient publiée l’ont supprimée.',
  deactivated: 'Nous ne montrons plus l’organisation qui l’avait publiée, ni ses publications.',
  expired: 'L’événement est passé depuis trente jours : le signalement est clos.',
}

const decidersFr: Record<EndedBy, string> = {
  team: 'Une personne a décidé.',
  author: 'Nous n’avons pas eu à décider.',
  rule: 'Une règle automatique, qui clôt ce qui est signalé comme faux ou publié deux fois, a décidé.',
}

const writingFr = (contact: string | null) =>
  `Si vous n’êtes pas d’accord, écrivez-nous, et quelqu’un regardera de nouveau${contact === null ? '.' : ` :\n${contact}`}`

const en: Texts = {
  hello: 'Hello',
  about: (subject, title) => `${subject}: “${title}”`,
  receipt: ({ title, link }) => ({
    subject: 'Your report',
    paragraphs: [
      `We received your report of “${title}”. Somebody will read it, and you will learn here what was decided. The author of the publication will not learn who reported it.`,
      ...(link === null
        ? []
        : [`Confirm here that this address is yours, so that you miss no answer:\n${link}`]),
      'If you reported nothing, somebody gave your address by mistake: there is nothing to do.',
    ],
  }),
  outcome: ({ title, outcome, ended_by, ground, followed_by, objection, contact }) => ({
    subject: 'What became of your report',
    paragraphs: [
      `You had reported “${title}”. ${decidedEn[outcome ?? 'kept']}`,
      ...(followed_by === 'restored' ? ['Since then, it is visible again.'] : []),
      [
        ...(ground === null ? [] : [`${groundsEn(ground, outcome)}: ${groundIn(ground)}`]),
        decidersEn[ended_by ?? 'team'],
      ].join('\n'),
      objection === null
        ? writingEn(contact)
        : `If you disagree, you can complain for six months; somebody else will examine your complaint:\n${objection}`,
    ],
  }),
  followed: ({ title, followed_by, contact }) => ({
    subject: 'Your report, again',
    paragraphs: [
      `We had told you what was decided about “${title}”.`,
      followed_by === 'reopened'
        ? 'That is not in force any more: somebody will read your report again, and you will learn here what was decided.'
        : 'Since then, it is visible again.',
      writingEn(contact),
    ],
  }),
}

const decidedEn: Record<Outcome, string> = {
  kept: 'We read it: it stays visible.',
  unfounded: 'We read it, and did not uphold this report.',
  corrected: 'It was corrected.',
  rejected: 'We removed it: it is no longer visible.',
  duplicate: 'It was published twice: only one stays visible.',
  hidden: 'We hid it from the public.',
  deleted: 'We deleted it.',
  withdrawn: 'Those who had published it deleted it.',
  deactivated: 'We no longer show the organisation that had published it, nor its publications.',
  expired: 'The event has been over for thirty days: the report is closed.',
}

const decidersEn: Record<EndedBy, string> = {
  team: 'A person decided.',
  author: 'We did not have to decide.',
  rule: 'An automatic rule, which closes what is reported as wrong or published twice, decided.',
}

const writingEn = (contact: string | null) =>
  `If you disagree, write to us, and somebody will look again${contact === null ? '.' : `:\n${contact}`}`

const textsIn = { fr, en }
