import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import type { Message } from './alertes.ts'

type Envelope = { to: string; from: string; site: string; link: string; id: string }

/** Tells a subscriber of an alerte, or of its end. All mails of a broadcast differ by the link of the subscriber alone. */
export function alerteMail(message: Message, { to, from, site, link, id }: Envelope): Mail {
  const { kind, alerteId, titre, nom, communes } = message
  const isEnd = kind === 'alerte_fin'
  const head = isEnd ? 'Fin de l’alerte' : heads[message.niveau]
  const [commune] = communes
  return mailOf(
    { to, from, name: `${kind.replace('_', '-')}-${alerteId}-${id}`, html: 'fr' },
    `${nom} · ${head} : ${titre}`,
    [
      isEnd ? `L’alerte « ${titre} » est terminée.` : `${head} : ${titre}`,
      ...(isEnd ? [] : [message.message, ...periodOf(message)]),
      `Toutes les alertes de ${commune?.nom ?? nom} :\n${site}/communes/${commune?.slug ?? ''}/alertes`,
      `Vous recevez ce message parce que vous êtes abonné aux alertes de ${nom}. Pour changer ce que vous recevez, ou vous désabonner :\n${link}`,
    ],
  )
}

const heads = { info: 'Information', attention: 'Attention', urgence: 'Urgence' }

const moment = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Europe/Paris',
  dateStyle: 'long',
  timeStyle: 'short',
})

function periodOf({ debut, fin }: Message): string[] {
  const from = debut && `Depuis le ${moment.format(debut)}.`
  const to = fin && `Jusqu’au ${moment.format(fin)}.`
  const lines = [from, to].filter((line) => line !== null)
  return lines.length === 0 ? [] : [lines.join('\n')]
}
