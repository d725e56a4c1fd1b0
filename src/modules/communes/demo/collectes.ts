import { type CollecteSchedule, JOURS, nextDates } from '../calendar.ts'
import { type DemoCommune, demoSeed } from './communes.ts'

type Apport = {
  type_dechet: string
  libelle: string
  secteur: string | null
  mode: string
  consignes: string
}
type DemoCollecte = Apport & CollecteSchedule

/** The rounds of a commune, in the order in which a household meets them. */
export function demoCollectes(commune: DemoCommune): DemoCollecte[] {
  const secteurs = secteursByCode.get(commune.code)
  if (secteurs === undefined) return []
  const rounds = roundsByTaille[commune.taille](secteurs, demoSeed(commune.code))
  const summer = tourisme.has(commune.code) ? rounds.map(withSummerRounds) : rounds
  const feries = [
    ...nationaux,
    ...(locaux[commune.code.slice(0, 3)] ?? locaux[commune.code.slice(0, 2)] ?? []),
  ]
  return summer.map((round) => ({ ...round, exceptions: exceptions(round, feries) }))
}

/** The kinds of places, from those that empty the bins six days a week to those that do every second week. */
const roundsByTaille: Record<DemoCommune['taille'], (secteurs: string[], seed: number) => DemoCollecte[]> = {
  metropole: ([un = null, deux = null], seed) => [
    round('ordures_menageres', un, { jours: ['lundi', 'mercredi', 'vendredi'] }),
    round('ordures_menageres', deux, { jours: ['mardi', 'jeudi', 'samedi'] }),
    round('emballages', un, { jours: days(seed, 3) }),
    round('emballages', deux, { jours: days(seed, 4) }),
    round('biodechets', null, {}),
    round('encombrants', un, { dates: monthly(1, days(seed, 1)) }),
    round('encombrants', deux, { dates: monthly(3, days(seed, 1)) }),
    round('verre', null, {}),
  ],
  ville: ([un = null, deux = null], seed) => [
    round('ordures_menageres', un, { jours: days(seed, 0, 3) }),
    round('ordures_menageres', deux, { jours: days(seed, 1, 4) }),
    round('emballages', un, { jours: days(seed, 2), ...everySecondWeek(0) }),
    round('emballages', deux, { jours: days(seed, 2), ...everySecondWeek(1) }),
    round('biodechets', null, { jours: days(seed, 4) }),
    round('papier', null, { dates: monthly(2, ['mercredi']) }),
    round('dechets_verts', null, { dates: green(days(seed, 3)) }),
    round('encombrants', null, { dates: monthly(4, days(seed, 4), [2, 5, 9, 11]) }),
    round('verre', null, {}),
  ],
  bourg: ([un = null, deux = null], seed) => [
    round('ordures_menageres', un, { jours: days(seed, 4) }),
    ...(deux === null ? [] : [round('ordures_menageres', deux, { jours: days(seed, 0) })]),
    round('emballages', null, { jours: days(seed, 2), ...everySecondWeek(seed) }),
    round('dechets_verts', null, { dates: green(days(seed, 1)) }),
    round('encombrants', null, { dates: monthly(2, days(seed, 3), [4, 10]) }),
    round('papier', null, {}),
    round('verre', null, {}),
  ],
  village: ([un = null, deux = null], seed) => [
    round('ordures_menageres', un, { jours: days(seed, 4), ...everySecondWeek(seed) }),
    ...(deux === null
      ? []
      : [round('ordures_menageres', deux, { jours: days(seed, 0), ...everySecondWeek(seed) })]),
    round('emballages', null, { jours: days(seed, 4), ...everySecondWeek(seed + 1) }),
    { ...round('encombrants', null, { dates: monthly(1, ['samedi'], [3, 6, 9, 12]) }), ...mobile },
    round('verre', null, {}),
  ],
}

const never: CollecteSchedule = {
  jours: [],
  toutes_les_semaines: 1,
  a_partir_du: null,
  dates: [],
  exceptions: [],
}

/** Without days or dates it is a container in the street, open at any time. */
function round(
  type: keyof typeof dechets,
  secteur: string | null,
  schedule: Partial<CollecteSchedule>,
): DemoCollecte {
  const mode = Object.keys(schedule).length > 0 ? 'porte_a_porte' : 'apport_volontaire'
  const [bac, borne, consignes] = dechets[type]
  const libelle = mode === 'porte_a_porte' ? bac : borne
  return { type_dechet: type, libelle, secteur, mode, consignes, ...never, ...schedule }
}

/** Weekdays, turned from one commune to the next as the trucks do. */
function days(seed: number, ...offsets: number[]): string[] {
  return JOURS.filter((_, index) => offsets.some((offset) => (offset + seed) % 5 === index))
}

/** Counted from the first Monday of 2026, or from the one after. */
function everySecondWeek(week: number) {
  return { toutes_les_semaines: 2, a_partir_du: week % 2 === 0 ? '2026-01-05' : '2026-01-12' }
}

const everyMonth = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** The nth such weekday of these months, in 2026 and 2027. */
function monthly(nth: number, jours: string[], months = everyMonth): string[] {
  const firsts = [2026, 2027].flatMap((year) =>
    months.map((month) => `${year}-${String(month).padStart(2, '0')}-01`),
  )
  return firsts.flatMap((first) => nextDates({ ...never, jours }, first, nth).slice(-1))
}

/** Every second week while things grow. */
function green(jours: string[]): string[] {
  return ['2026-03-16', '2027-03-15'].flatMap((a_partir_du) =>
    nextDates({ ...never, jours, a_partir_du, toutes_les_semaines: 2 }, a_partir_du, 18),
  )
}

/** Both shapes at once: the weekdays of the year, and eight Sundays of July and August. */
function withSummerRounds(collecte: DemoCollecte): DemoCollecte {
  if (collecte.type_dechet !== 'ordures_menageres') return collecte
  const dates = ['2026-07-05', '2027-07-04'].flatMap((first) =>
    nextDates({ ...never, jours: ['dimanche'] }, first, 8),
  )
  return {
    ...collecte,
    dates,
    consignes: `${collecte.consignes} Passage supplémentaire le dimanche en juillet et août.`,
  }
}

/** A holiday's round goes to the next working day; where another round comes within three days, it is dropped. */
function exceptions(schedule: CollecteSchedule, feries: string[]) {
  return feries
    .filter((ferie) => nextDates(schedule, ferie, 1)[0] === ferie)
    .map((date) => ({ date, reportee_au: schedule.jours.length >= 3 ? null : workingDayAfter(date, feries) }))
}

function workingDayAfter(date: string, feries: string[]): string | null {
  const candidates = nextDates({ ...never, jours: JOURS.slice(0, 6) }, date, 5)
  return candidates.find((day) => day > date && !feries.includes(day)) ?? null
}

const nationaux = [
  ...['2026-01-01', '2026-05-01', '2026-05-08', '2026-07-14', '2026-11-11', '2026-12-25'],
  ...[
    '2027-01-01',
    '2027-03-29',
    '2027-05-01',
    '2027-05-06',
    '2027-05-17',
    '2027-07-14',
    '2027-11-11',
    '2027-12-25',
  ],
]

/** Alsace rests on Good Friday and St Stephen's day; overseas, on the day of the abolition of slavery. */
const locaux: Record<string, string[]> = {
  67: ['2026-12-26', '2027-03-26'],
  68: ['2026-12-26', '2027-03-26'],
  972: ['2026-05-22', '2027-05-22'],
  973: ['2026-06-10', '2027-06-10'],
  974: ['2026-12-20', '2027-12-20'],
  976: ['2026-04-27', '2027-04-27'],
}

// What goes out of the house, what is carried to a container, and how.
const dechets = {
  ordures_menageres: [
    'Ordures ménagères (bac gris)',
    'Ordures ménagères (conteneur enterré)',
    'En sacs fermés dans le bac gris, sorti la veille après 19 h, poignées vers la chaussée, et rentré dans la journée.',
  ],
  emballages: [
    'Emballages (bac jaune)',
    'Emballages (colonne jaune)',
    'En vrac, bien vidés, sans les laver ni les emboîter : bouteilles, flacons, briques, boîtes, barquettes, films et sachets.',
  ],
  biodechets: [
    'Biodéchets (bac brun)',
    'Biodéchets (abri-bac de quartier)',
    'Épluchures, restes de repas, marc de café, en sac kraft. Aucun sac plastique, même « compostable ». Bioseau offert en mairie.',
  ],
  papier: [
    'Papiers et cartons',
    'Papiers (colonne bleue)',
    'Journaux, enveloppes, cahiers, cartons pliés et ficelés. Ni mouchoirs, ni papier peint, ni cartons à pizza gras.',
  ],
  dechets_verts: [
    'Déchets verts',
    'Déchets verts (plateforme)',
    'Tontes et feuilles en sacs kraft, branches en fagots de 1,20 m au plus, liés d’une ficelle naturelle. Dix sacs par jardin.',
  ],
  encombrants: [
    'Encombrants',
    'Encombrants (déchetterie)',
    'Sur inscription au plus tard l’avant-veille, 2 m³ par foyer. Ni gravats, ni pneus, ni bouteilles de gaz ; pensez à la ressourcerie.',
  ],
  verre: [
    'Verre',
    'Verre (colonne verte)',
    'Bouteilles, pots et bocaux, sans bouchon ni couvercle. Ni vaisselle ni vitres. Pensez aux voisins : rien entre 22 h et 7 h.',
  ],
} satisfies Record<string, [string, string, string]>

const mobile = {
  mode: 'apport_volontaire' as const,
  libelle: 'Déchetterie mobile',
  consignes:
    'De 9 h à 12 h sur la place. Meubles, appareils, ferraille, pots de peinture ; justificatif de domicile demandé.',
}

// A commune that is not there has told nothing of its rounds; an empty list is one round for all.
const secteursByCode = new Map<string, string[]>([
  ['75056', ['Rive droite', 'Rive gauche']],
  ['69123', ['Croix-Rousse et Presqu’île', 'Gerland et Confluence']],
  ['35238', ['Centre et Thabor', 'Villejean et Blosne']],
  ['67482', ['Grande Île et Krutenau', 'Neudorf']],
  ['13055', ['Vieux-Port et Panier', 'Belsunce et Belle de Mai']],
  ['33063', ['Chartrons et Bacalan', 'Saint-Michel et Bastide']],
  ['73065', ['Centre et Biollay', 'Chambéry-le-Vieux']],
  ['93066', ['Centre-ville', 'La Plaine et Pierrefitte']],
  ['97411', ['Bas de la ville', 'Les Hauts']],
  ['2A004', ['Vieille ville', 'Les Cannes et Mezzavia']],
  ['46240', ['La Cité', 'L’Hospitalet et les hameaux']],
  ['29155', ['Lampaul', 'Frugullou et Porz Arlan']],
  ['12218', ['Conques', 'Saint-Cyprien-sur-Dourdou']],
  ['76351', ['Ville basse', 'Ville haute']],
  ['85194', ['Le Remblai et La Chaume', 'Olonne']],
  ['97209', ['Centre et Terres-Sainville', 'Didier et Balata']],
  ['97302', ['Centre', 'Village chinois et Zéphir']],
  ['2B096', ['Ville haute', 'Porette']],
  ['69189', []],
  ['51410', []],
  ['68277', ['Intra-muros', 'Extra-muros']],
  ['94038', ['Vallée-aux-Renards', 'Lallier et Bicêtre']],
  ['73054', ['Vallée', 'Les Arcs']],
  ['25515', []],
  ['02565', []],
  ['06059', ['Village', 'Bord de mer']],
  ['97424', ['Centre', 'Îlets']],
  ['97611', ['Mamoudzou centre', 'Kawéni et Cavani']],
  ['24520', ['Cité médiévale', 'La Canéda']],
  ['60271', []],
  ['97502', ['Ville', 'Île-aux-Marins et Savoyard']],
  ['2B134', ['Centre', 'La Pietra et Guardiola']],
])

const tourisme = new Set(['2A004', '46240', '85194', '68277', '06059', '24520', '2B134'])
