import { isPlainName } from '../../platform/formats/text.ts'
import { type Mail, mailOf } from '../../platform/mail/mail.ts'

/** Data for the mail about a decision. */
export type DecisionRow = {
  id: string
  status: string
  reason: string | null
  nom: string | null
  address: string | null
  acteur_id: string
  acteur_nom: string
  langue: 'fr' | 'en'
  /** Null if nobody became owner. */
  account: 'theirs' | 'to_be_opened' | null
}

/**
 * Builds the mail about a decision; the Message-ID stays the same across attempts. The claimant chose the
 * recipient, so the mail quotes no input of theirs but a plain name. The reason is the moderator's; the
 * acteur's name is ours. `space`: where its owner works; null where no application is served.
 */
export function decisionMail(
  decision: DecisionRow,
  to: string,
  { from, space }: { from: string; space: string | null },
): Mail {
  const { id, status, langue } = decision
  const { subject, paragraphs } = texts[langue][status === 'approved' ? 'approved' : 'rejected']({
    ...decision,
    space,
  })
  return mailOf({ to, from, name: `claim-decision-${id}` }, subject, [
    greeting(decision, langue === 'fr' ? 'Bonjour' : 'Hello'),
    ...paragraphs,
    langue === 'fr' ? 'Bien à vous,\nL’équipe' : 'Kind regards,\nThe team',
  ])
}

/** Greets a claimant, with the name only if `isPlainName` accepts it. */
export function greeting({ nom }: Pick<DecisionRow, 'nom'>, hello = 'Bonjour'): string {
  const name = nom?.normalize('NFC').trim() ?? ''
  return isPlainName(name) ? `${hello} ${name},` : `${hello},`
}

type Shown = DecisionRow & { space: string | null }

const why = (introduction: string, reason: string | null) =>
  reason === null || reason.trim() === '' ? [] : [`${introduction}\n\n${reason.trim()}`]

const texts = {
  fr: {
    approved: ({ acteur_nom, account, space }: Shown) => ({
      subject: `Bienvenue : « ${acteur_nom} » est à vous`,
      paragraphs: [
        `Bonne nouvelle : votre demande pour « ${acteur_nom} » est acceptée.`,
        `Vous pouvez dès maintenant publier en son nom. ${
          account === 'to_be_opened'
            ? `${space === null ? 'Ouvrez un compte avec' : 'Ouvrez la page ci-dessous et saisissez'} l’adresse à laquelle vous recevez ce message, puis confirmez-la : vos droits vous y attendent pendant 180 jours. Si vous aviez déjà un compte, connectez-vous et faites-y confirmer cette adresse, ou refaites votre demande : c’est à lui que nous les donnerons.`
            : 'Il vous suffit de vous connecter comme d’habitude : avec le compte de votre demande ou, si vous l’avez faite sans vous connecter, avec celui qui porte l’adresse à laquelle vous recevez ce message.'
        }`,
        ...(space === null ? [] : [`Votre espace est à cette adresse :\n${space}`]),
        'Merci de faire vivre la page : vos voisins vous lisent.',
      ],
    }),
    rejected: ({ acteur_nom, reason }: Shown) => ({
      subject: `Votre demande pour « ${acteur_nom} »`,
      paragraphs: [
        `Merci de l’intérêt que vous portez à « ${acteur_nom} ». Nous avons lu votre demande avec attention, mais nous ne pouvons pas y donner suite cette fois-ci.`,
        ...why('Voici pourquoi :', reason),
        'Si quelque chose nous a échappé, une nouvelle demande est la bienvenue : quelques mots de plus sur votre lien avec cette page nous aideront.',
      ],
    }),
  },
  en: {
    approved: ({ acteur_nom, account, space }: Shown) => ({
      subject: `Welcome: “${acteur_nom}” is yours`,
      paragraphs: [
        `Good news: your claim to “${acteur_nom}” has been accepted.`,
        `You can publish in its name from now on. ${
          account === 'to_be_opened'
            ? `${space === null ? 'Open an account with' : 'Open the page below and enter'} the address at which you receive this message, then confirm it: your rights will be kept for you there for 180 days. If you already have an account, sign in and confirm this address there, or make your claim again: we will then give them to that account.`
            : 'Just sign in as usual: with the account that you used for your claim or, if you made it without signing in, with the one that has the address at which you receive this message.'
        }`,
        ...(space === null ? [] : [`Your space is at this address:\n${space}`]),
        'Thank you for keeping the page alive: your neighbours read you.',
      ],
    }),
    rejected: ({ acteur_nom, reason }: Shown) => ({
      subject: `Your claim to “${acteur_nom}”`,
      paragraphs: [
        `Thank you for your interest in “${acteur_nom}”. We have read your claim carefully, but we cannot accept it this time.`,
        ...why('Here is why:', reason),
        'If we have missed something, you are welcome to make a new claim: a few more words about your connection with this page will help us.',
      ],
    }),
  },
}
