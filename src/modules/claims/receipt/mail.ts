import { days, type Mail, mailOf } from '../../../platform/mail/mail.ts'
import { greeting } from '../notify.mail.ts'

export type ReceiptRow = {
  id: string
  nom: string | null
  address: string
  langue: 'fr' | 'en'
  reference: string
  /** Null: the claimant has typed the name, with the claim that adds the acteur. */
  acteur_nom: string | null
  expires_at: Date
}

/**
 * Builds the receipt of a claim. The claimant chose the recipient, so the mail quotes nothing from the claimant except a plain
 * name.
 */
export function receiptMail(receipt: ReceiptRow, { to, from }: { to: string; from: string }): Mail {
  const { id, langue } = receipt
  const { subject, paragraphs } = texts[langue](receipt)
  return mailOf({ to, from, name: `claim-receipt-${id}` }, subject, paragraphs)
}

const texts = {
  fr: ({ nom, acteur_nom, reference, expires_at }: ReceiptRow) => ({
    subject: `Votre demande${acteur_nom === null ? ' d’inscription' : ` pour « ${acteur_nom} »`} est arrivée`,
    paragraphs: [
      greeting({ nom }),
      `Merci. ${
        acteur_nom === null
          ? 'Votre demande d’inscription à l’annuaire est arrivée.'
          : `Votre demande de tenir la page « ${acteur_nom} » est arrivée.`
      } Une personne va la lire, et vous aurez la réponse à cette adresse.`,
      `Sans réponse le ${days.fr.format(expires_at)}, la demande expire : vous pourrez en faire une autre.`,
      `Sa référence est ${reference}. Citez-la si vous nous écrivez.`,
      'Vous n’avez rien demandé ? Ignorez ce message.',
      'Bien à vous,\nL’équipe',
    ],
  }),
  en: ({ nom, acteur_nom, reference, expires_at }: ReceiptRow) => ({
    subject:
      acteur_nom === null
        ? 'We have received your registration'
        : `We have received your claim to “${acteur_nom}”`,
    paragraphs: [
      greeting({ nom }, 'Hello'),
      `Thank you. ${
        acteur_nom === null
          ? 'We have received your registration for the directory.'
          : `We have received your claim to the page “${acteur_nom}”.`
      } A person will read it, and you will get the answer at this address.`,
      `If there is no answer on ${days.en.format(expires_at)}, it expires: you can then make another one.`,
      `Its reference is ${reference}. Please quote it if you write to us.`,
      'You asked for nothing? Ignore this message.',
      'Kind regards,\nThe team',
    ],
  }),
}
