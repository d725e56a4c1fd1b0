import { clip } from '../../../platform/formats/text.ts'
import {
  type AlerteText,
  alerteHead,
  type CollectesReminder,
  type NamedPlace,
  type Notice,
  type Recipient,
} from './broadcast.ts'

const hour = 3_600
/** What push services accept at most. */
const maxTtl = 28 * 24 * hour

/** Tells a browser of an alerte, or of its correction or end, which replaces the alerte. */
export function alerteNotice(
  alerte: AlerteText,
  { places: [place] }: Pick<Recipient, 'places'>,
  now: Date,
): Notice {
  const { kind, alerteId, titre, message, niveau, fin, nom } = alerte
  const isEnd = kind === 'alerte_fin'
  const untilEnd = fin === null ? 24 * hour : Math.ceil((fin.getTime() - now.getTime()) / 1_000)
  return {
    title: titled(nom, `${alerteHead(kind, niveau)} : ${titre}`),
    body: isEnd ? 'Cette alerte est terminée.' : shortened(message, maxBody),
    path: `${place?.path ?? ''}/alertes`,
    tag: tagOf(alerteId),
    urgency: niveau === 'urgence' && !isEnd ? 'high' : 'normal',
    ttlSeconds: isEnd ? 24 * hour : Math.min(Math.max(untilEnd, 60), maxTtl),
  }
}

type Week = { id: string; place: NamedPlace; publications: { titre: string }[] }

/** Names the first publications of a week. */
export function actualitesNotice({ id, place, publications }: Week): Notice {
  const shown = publications.slice(0, 3).map(({ titre }) => titre)
  const others = publications.length - shown.length
  const more = others === 0 ? [] : [others === 1 ? 'et une autre' : `et ${others} autres`]
  return {
    title: titled(place.nom, 'Les publications de la semaine'),
    body: shortened([...shown, ...more].join(' · '), maxBody),
    path: `${place.path}/publications`,
    tag: tagOf(id),
    urgency: 'low',
    ttlSeconds: 72 * hour,
  }
}

/** Reminds of the collections of the next day, or of the day that begins. */
export function collectesNotice(
  id: string,
  { commune, collectes, names, lostSecteur, isToday }: CollectesReminder,
): Notice {
  const isHoliday = collectes.some(({ jour_ferie }) => jour_ferie)
  return {
    title: titled(commune.nom, `${isToday ? 'Aujourd’hui' : 'Demain'} : ${names.join(', ')}`),
    body: shortened(
      [
        ...(isHoliday ? ['C’est un jour férié : à confirmer auprès de la mairie.'] : []),
        ...(lostSecteur === null
          ? [
              isToday
                ? 'Collecte d’aujourd’hui : pensez à sortir vos bacs.'
                : 'Collecte de demain : pensez à sortir vos bacs ce soir.',
            ]
          : [
              `Le secteur « ${lostSecteur} » n’existe plus : choisissez le vôtre sur la page de votre abonnement.`,
            ]),
      ].join(' '),
      maxBody,
    ),
    path: `/communes/${commune.slug}/collectes`,
    tag: tagOf(id),
    urgency: 'normal',
    ttlSeconds: (isToday ? 3 : 12) * hour,
  }
}

const maxTitle = 120
/** With the title at most 2 kB in UTF-8: the whole message must fit into 4 kB. */
const maxBody = 300

const titled = (nom: string, text: string) => shortened(`${nom} · ${text}`, maxTitle)
const tagOf = (id: string) => id.replaceAll('-', '')

function shortened(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${clip(line, length - 1).trimEnd()}…`
}
