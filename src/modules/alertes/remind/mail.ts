import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import type { EndlessAlerte } from './queries.ts'

/** Reminds a mairie of an alert that stays public because it has no end. Retries keep the same Message-ID. */
export function reminderMail({ id, titre, since, nom }: EndlessAlerte, to: string, from: string): Mail {
  return mailOf({ to, from, name: `alerte-reminder-${id}` }, `Toujours d’actualité ? « ${titre} »`, [
    'Bonjour,',
    `L’alerte « ${titre} » de ${nom} est affichée au public depuis le ${day.format(since)}. Elle n’a pas de date de fin : elle restera affichée jusqu’à ce que vous y mettiez fin.`,
    'Si elle n’est plus d’actualité, vous pouvez y mettre fin ou la supprimer depuis l’espace de votre mairie. Si elle l’est encore, vous n’avez rien à faire : nous ne vous écrirons plus à son sujet.',
    'Bien à vous,\nL’équipe',
  ])
}

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' })
