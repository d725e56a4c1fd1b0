import { days, type Mail, mailOf } from '../../platform/mail/mail.ts'

/** An alert without an end, with the mail address of its mairie. */
export type EndlessAlerte = {
  id: string
  titre: string
  since: Date
  nom: string
  /** Null for a commune without a mairie. */
  mairie_id: string | null
  address: string | null
  langue: 'fr' | 'en'
}

/** Reminds a mairie of an alert that stays public because it has no end. Retries keep the same Message-ID. `page`: its alerts. */
export function reminderMail(
  alerte: EndlessAlerte,
  to: string,
  { from, page }: { from: string; page: string | null },
): Mail {
  const { subject, paragraphs } = texts[alerte.langue]({ ...alerte, page })
  return mailOf({ to, from, name: `alerte-reminder-${alerte.id}` }, subject, paragraphs)
}

type Shown = EndlessAlerte & { page: string | null }

const texts = {
  fr: ({ titre, since, nom, page }: Shown) => ({
    subject: `L’alerte « ${titre} » est-elle toujours d’actualité ?`,
    paragraphs: [
      'Bonjour,',
      `L’alerte « ${titre} » (${nom}) est affichée au public depuis le ${days.fr.format(since)}. Elle n’a pas de date de fin : elle restera affichée jusqu’à ce que vous y mettiez fin.`,
      'Si elle n’est plus d’actualité, vous pouvez y mettre fin ou la supprimer dans votre espace. Si elle l’est encore, vous n’avez rien à faire : nous ne vous écrirons plus à son sujet.',
      ...(page === null ? [] : [`Vos alertes sont à cette adresse :\n${page}`]),
      'Bien à vous,\nL’équipe',
    ],
  }),
  en: ({ titre, since, nom, page }: Shown) => ({
    subject: `Is the alert “${titre}” still current?`,
    paragraphs: [
      'Hello,',
      `The alert “${titre}” (${nom}) has been shown to the public since ${days.en.format(since)}. It has no end date: it will be shown until you end it.`,
      'If it is no longer current, you can end or delete it in your space. If it still is, there is nothing to do: we will not write to you about it again.',
      ...(page === null ? [] : [`Your alerts are at this address:\n${page}`]),
      'Kind regards,\nThe team',
    ],
  }),
}
