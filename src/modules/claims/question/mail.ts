import { days, type Mail, mailOf } from '../../../platform/mail/mail.ts'
import { greeting } from '../notify.mail.ts'
import type { QuestionRow } from './queries.ts'

type Addresses = { to: string; from: string; answers: Pick<Mail, 'replyTo' | 'bouncesTo'> }

/**
 * Builds the mail of a question; the Message-ID stays the same across attempts. The claimant chose the
 * recipient, so the mail quotes nothing from the claimant except a plain name.
 */
export function questionMail(question: QuestionRow, { to, from, answers }: Addresses): Mail {
  const { subject, paragraphs } = texts[question.langue](question, answers.replyTo !== undefined)
  const mail = mailOf(
    { to, from, name: `claim-question-${question.id}`, html: question.langue },
    subject,
    paragraphs,
  )
  return { ...mail, ...answers, isWritten: true }
}

const texts = {
  fr: ({ nom, acteur_nom, body, waits_until }: QuestionRow, isRead: boolean) => ({
    subject: `Une question sur votre demande pour « ${acteur_nom} »`,
    paragraphs: [
      greeting({ nom }),
      `Vous avez demandé à tenir la page « ${acteur_nom} ». Avant de décider, nous avons une question :`,
      body,
      isRead
        ? 'Pour nous répondre, répondez simplement à ce courriel.'
        : 'Les réponses à ce courriel ne sont pas lues. Pour nous répondre, passez par le formulaire de contact en rappelant le nom de la page.',
      ...(waits_until === null
        ? []
        : [
            `Sans réponse de votre part, votre demande pourra expirer après le ${days.fr.format(waits_until)}.`,
          ]),
      'Bien à vous,\nL’équipe',
    ],
  }),
  en: ({ nom, acteur_nom, body, waits_until }: QuestionRow, isRead: boolean) => ({
    subject: `A question about your claim to “${acteur_nom}”`,
    paragraphs: [
      greeting({ nom }, 'Hello'),
      `You asked to take over the page “${acteur_nom}”. Before we decide, we have a question:`,
      body,
      isRead
        ? 'To answer, simply reply to this mail.'
        : 'Replies to this mail are not read. To answer, use the contact form and give the name of the page.',
      ...(waits_until === null
        ? []
        : [`Without an answer from you, your claim may expire after ${days.en.format(waits_until)}.`]),
      'Kind regards,\nThe team',
    ],
  }),
}
