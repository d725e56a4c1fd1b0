import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import type { DecisionRow } from './queries.ts'

/**
 * Builds the mail about a decision; the Message-ID stays the same across attempts. The claimant chose the
 * recipient, so the mail quotes no input of theirs but a plain name. The reason is the moderator's; the
 * acteur's name is ours.
 */
export function decisionMail(decision: DecisionRow, to: string, from: string): Mail {
  const { id, status, acteur_nom } = decision
  const isApproved = status === 'approved'
  const subject = isApproved
    ? `Bienvenue : « ${acteur_nom} » est à vous`
    : `Votre demande pour « ${acteur_nom} »`
  const paragraphs = [greeting(decision), ...(isApproved ? approved : rejected)(decision), farewell]
  return mailOf({ to, from, name: `claim-decision-${id}` }, subject, paragraphs)
}

/** Greets a claimant, with the name only if `isPlainName` accepts it. */
export function greeting({ nom }: Pick<DecisionRow, 'nom'>, hello = 'Bonjour'): string {
  const name = nom?.normalize('NFC').trim() ?? ''
  return isPlainName.test(name) ? `${hello} ${name},` : `${hello},`
}

/** Letters, spaces, apostrophes and hyphens: no URL, no number, no second line. */
const isPlainName = /^(?=.*\p{L})[\p{L} '’‐-]{1,60}$/u

const approved = ({ acteur_nom, account }: DecisionRow) => [
  `Bonne nouvelle : votre demande pour « ${acteur_nom} » est acceptée.`,
  `Vous pouvez dès maintenant publier en son nom. ${account === 'to_be_opened' ? open : signIn}`,
  'Merci de faire vivre la page : vos voisins vous lisent.',
]

const open =
  'Il vous suffit d’ouvrir un compte avec l’adresse à laquelle vous recevez ce message, et de la confirmer : vos droits vous y attendent pendant 180 jours. Si vous aviez déjà un compte, connectez-vous et faites-y confirmer cette adresse, ou refaites votre demande : c’est à lui que nous les donnerons.'
const signIn =
  'Il vous suffit de vous connecter comme d’habitude : avec le compte de votre demande ou, si vous l’avez faite sans vous connecter, avec celui qui porte l’adresse à laquelle vous recevez ce message.'

const rejected = ({ acteur_nom, reason }: DecisionRow) => [
  `Merci de l’intérêt que vous portez à « ${acteur_nom} ». Nous avons lu votre demande avec attention, mais nous ne pouvons pas y donner suite cette fois-ci.`,
  ...(reason === null || reason.trim() === '' ? [] : [`Voici pourquoi :\n\n${reason.trim()}`]),
  'Si quelque chose nous a échappé, une nouvelle demande est la bienvenue : quelques mots de plus sur votre lien avec cette page nous aideront.',
]

const farewell = 'Bien à vous,\nL’équipe'
