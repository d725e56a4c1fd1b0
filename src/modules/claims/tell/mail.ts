import type { Mail } from '../../../platform/mail/mail.ts'
import { messageIdOf } from '../../../platform/mail/mail-address.ts'
import type { DecisionRow } from './queries.ts'

/**
 * What the claimant is told. Its id is the same at every try. Whoever fills in a claim chooses where this mail goes: of
 * what they typed it quotes nothing but a plain name. The reason is a moderator's, the name of the acteur is ours.
 */
export function decisionMail(decision: DecisionRow, to: string, from: string): Mail {
  const { id, status, acteur_nom } = decision
  const messageId = messageIdOf(`claim-decision-${id}`, from)
  const isApproved = status === 'approved'
  const subject = isApproved
    ? `Bienvenue : « ${acteur_nom} » est à vous`
    : `Votre demande pour « ${acteur_nom} »`
  const paragraphs = [greeting(decision), ...(isApproved ? approved : rejected)(decision), farewell]
  return { messageId, to, subject, text: `${paragraphs.join('\n\n')}\n` }
}

function greeting({ nom }: DecisionRow): string {
  const name = nom?.normalize('NFC').trim() ?? ''
  return isPlainName.test(name) ? `Bonjour ${name},` : 'Bonjour,'
}

/** Letters, spaces, apostrophes and hyphens: no address of the web, no number, no second line. */
const isPlainName = /^(?=.*\p{L})[\p{L} '’‐-]{1,60}$/u

const approved = ({ acteur_nom, account }: DecisionRow) => [
  `Bonne nouvelle : votre demande pour « ${acteur_nom} » est acceptée.`,
  `Vous pouvez dès maintenant publier en son nom. ${account === 'to_be_opened' ? open : signIn}`,
  'Merci de faire vivre la page : vos voisins vous lisent.',
]

const open =
  'Il vous suffit d’ouvrir un compte avec l’adresse à laquelle vous recevez ce message, et de la confirmer : vos droits vous y attendent pendant 180 jours. Si vous y aviez déjà un compte, connectez-vous et refaites votre demande : c’est à lui que nous les donnerons.'
const signIn = 'Il vous suffit de vous connecter comme d’habitude.'

const rejected = ({ acteur_nom, reason }: DecisionRow) => [
  `Merci de l’intérêt que vous portez à « ${acteur_nom} ». Nous avons lu votre demande avec attention, mais nous ne pouvons pas y donner suite cette fois-ci.`,
  ...(reason === null || reason.trim() === '' ? [] : [`Voici pourquoi :\n\n${reason.trim()}`]),
  'Si quelque chose nous a échappé, une nouvelle demande est la bienvenue : quelques mots de plus sur votre lien avec cette page nous aideront.',
]

const farewell = 'Bien à vous,\nL’équipe'
