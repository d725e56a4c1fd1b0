import type { Mail } from '../../../platform/mail/mail.ts'
import { parseMailFrom } from '../../../platform/mail/mail-address.ts'
import type { DecisionRow } from './queries.ts'

/** What the claimant is told. Its id is the same at every try. */
export function decisionMail(decision: DecisionRow, to: string, from: string): Mail {
  const { id, status, acteur_nom } = decision
  const [, domain = ''] = parseMailFrom(from).address.split('@')
  const messageId = `<claim-decision-${id}@${domain.length > 100 ? 'parvis.invalid' : domain}>`
  const isApproved = status === 'approved'
  const subject = isApproved
    ? `Bienvenue : « ${acteur_nom} » est à vous`
    : `Votre demande pour « ${acteur_nom} »`
  const paragraphs = [greeting(decision), ...(isApproved ? approved : rejected)(decision, to), farewell]
  return { messageId, to, subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** The name is whatever somebody wrote: one line of it. */
const greeting = ({ nom }: DecisionRow) =>
  nom === null ? 'Bonjour,' : `Bonjour ${nom.replace(/[\s\p{C}]+/gu, ' ').trim()},`

const approved = ({ acteur_nom, account }: DecisionRow, to: string) => [
  `Bonne nouvelle : votre demande pour « ${acteur_nom} » est acceptée.`,
  `Vous pouvez dès maintenant publier en son nom. ${account === 'to_be_opened' ? open(to) : signIn}`,
  'Merci de faire vivre la page : vos voisins vous lisent.',
]

const open = (to: string) =>
  `Il vous suffit d’ouvrir un compte avec cette adresse, ${to}, et de la confirmer : vos droits vous y attendent. Si vous y aviez déjà un compte, connectez-vous et refaites votre demande : c’est à lui que nous les donnerons.`
const signIn = 'Il vous suffit de vous connecter comme d’habitude.'

const rejected = ({ acteur_nom, reason }: DecisionRow) => [
  `Merci de l’intérêt que vous portez à « ${acteur_nom} ». Nous avons lu votre demande avec attention, mais nous ne pouvons pas y donner suite cette fois-ci.`,
  ...(reason === null || reason.trim() === '' ? [] : [`Voici pourquoi :\n\n${reason.trim()}`]),
  'Si quelque chose nous a échappé, une nouvelle demande est la bienvenue : quelques mots de plus sur votre lien avec cette page nous aideront.',
]

const farewell = 'Bien à vous,\nL’équipe'
