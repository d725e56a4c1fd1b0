import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import { type Ground, groundIn } from '../../grounds/grounds.ts'
import type { EndedBy, Following, Outcome } from './cases.ts'

type Envelope = { to: string; from: string }
type About = {
  id: string
  kind: 'receipt' | 'outcome' | 'followed'
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
  const { id, kind, title, name } = about
  const { subject, paragraphs } = textsOf[kind](about)
  return mailOf({ to, from, name: `signalement-${id}`, html: 'fr' }, `${subject} : « ${title} »`, [
    name === null || !isName(name) ? 'Bonjour,' : `Bonjour ${name},`,
    ...paragraphs,
  ])
}

/** Letters only: no address of a page, no number to call. */
const isName = (name: string) => /^[\p{L}\p{M}'’ -]{1,80}$/u.test(name)

type Text = { subject: string; paragraphs: string[] }
const textsOf: Record<About['kind'], (about: About) => Text> = {
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
      `Vous aviez signalé « ${title} ». ${decided[outcome ?? 'kept']}`,
      ...(followed_by === 'restored' ? ['Depuis, elle est de nouveau visible.'] : []),
      [...(ground === null ? [] : [groundOf(ground)]), deciders[ended_by ?? 'team']].join('\n'),
      objection === null
        ? writing(contact)
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
      writing(contact),
    ],
  }),
}

const decided: Record<Outcome, string> = {
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

const deciders: Record<EndedBy, string> = {
  team: 'Une personne a décidé.',
  author: 'Nous n’avons pas eu à décider.',
  rule: 'Une règle automatique, qui clôt ce qui est signalé comme faux ou publié deux fois, a décidé.',
}

const groundOf = (ground: Ground) => `${ground.kind === 'law' ? 'Loi' : 'Règle'} : ${groundIn(ground)}`

const writing = (contact: string | null) =>
  `Si vous n’êtes pas d’accord, écrivez-nous, et quelqu’un regardera de nouveau${contact === null ? '.' : ` :\n${contact}`}`
