import { type Mail, mailOf } from '../../../platform/mail/mail.ts'
import {
  type AlerteText,
  alerteHead,
  type CollectesReminder,
  levelNames,
  type NamedPlace,
  type Recipient,
} from './broadcast.ts'

/** Tells a subscriber of an alerte, of its correction, or of its end: the mails of a broadcast differ by their link and place. */
export function alerteMail(message: AlerteText, { to, from, site, link, id, places }: Recipient): Mail {
  const { kind, alerteId, broadcastId, titre, nom } = message
  const isEnd = kind === 'alerte_fin'
  const [place] = places
  // An alerte may have several ends and corrections: the mail of one is not the former one again.
  const name =
    kind === 'alerte' ? `alerte-${alerteId}-${id}` : `${kind.replace('_', '-')}-${broadcastId}-${id}`
  const subject = `${nom} · ${alerteHead(kind, message.niveau)} : ${titre}`
  return mailOf({ to, from, name, html: 'fr' }, subject, [
    isEnd ? `L’alerte « ${titre} » est terminée.` : `${levelNames[message.niveau]} : ${titre}`,
    ...(kind === 'alerte_correction' ? ['Ce message corrige celui que vous avez reçu.'] : []),
    ...(isEnd ? [] : [message.message, ...periodOf(message)]),
    `Toutes les alertes de ${place?.nom ?? nom} :\n${site}${place?.path ?? ''}/alertes`,
    `Vous recevez ce message parce que vous êtes abonné aux alertes de ${place?.nom ?? nom}. ${toLeave}\n${link}`,
  ])
}

type Week = {
  place: NamedPlace
  day: string
  publications: { titre: string; slug: string }[]
}

/** Lists what was published in a commune, or by a group, since the last such mail. */
export function actualitesMail(
  { place, day, publications }: Week,
  { to, from, site, link, id, since }: Recipient,
): Mail {
  const { nom, path, isGroup } = place
  return mailOf(
    { to, from, name: `actualites-${place.id}-${day}-${id}`, html: 'fr' },
    `${nom} · Les publications de la semaine`,
    [
      `Voici ce qui a été publié ${isGroup ? 'par' : 'à'} ${nom} depuis le ${dayOfMonth.format(since ?? new Date(day))} :`,
      ...publications.map(({ titre, slug }) => `${titre}\n${site}/publications/${slug}`),
      `Tout est ici :\n${site}${path}/publications`,
      `Vous recevez ce message chaque semaine où quelque chose est publié. ${toLeave}\n${link}`,
    ],
  )
}

/** Reminds of the collections of the next day, or of the day that begins. */
export function collectesMail(
  { commune, day, collectes, names, lostSecteur, isToday }: CollectesReminder,
  { to, from, site, link, id }: Recipient,
): Mail {
  const { nom, slug } = commune
  return mailOf(
    { to, from, name: `collectes-${commune.id}-${day}-${id}`, html: 'fr' },
    `${nom} · ${isToday ? 'Aujourd’hui' : 'Demain'} : ${names.join(', ')}`,
    [
      `Collectes du ${dayOfWeek.format(new Date(`${day}T12:00:00Z`))} à ${nom} :`,
      ...collectes.map(({ libelle, secteur, consignes, jour_ferie }) =>
        [
          `${libelle}${secteur === null ? '' : ` (secteur ${secteur})`}`,
          ...(jour_ferie ? ['C’est un jour férié : à confirmer auprès de la mairie.'] : []),
          ...(consignes === null ? [] : [consignes]),
        ].join('\n'),
      ),
      ...(lostSecteur === null
        ? []
        : [
            `Le secteur « ${lostSecteur} » n’existe plus : choisissez le vôtre sur la page de votre abonnement.`,
          ]),
      `Le calendrier :\n${site}/communes/${slug}/collectes`,
      `Vous recevez ce message la veille des collectes. ${toLeave}\n${link}`,
    ],
  )
}

const toLeave = 'Pour changer ce que vous recevez, ou vous désabonner :'
const dayOfMonth = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'long',
  timeZone: 'Europe/Paris',
})
const dayOfWeek = new Intl.DateTimeFormat('fr-FR', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

const moment = new Intl.DateTimeFormat('fr-FR', {
  timeZone: 'Europe/Paris',
  dateStyle: 'long',
  timeStyle: 'short',
})

function periodOf({ debut, fin }: AlerteText): string[] {
  const from = debut && `Depuis le ${moment.format(debut)}.`
  const to = fin && `Jusqu’au ${moment.format(fin)}.`
  const lines = [from, to].filter((line) => line !== null)
  return lines.length === 0 ? [] : [lines.join('\n')]
}
