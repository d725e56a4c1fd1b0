import type { Database } from '../../../platform/database/connect.ts'
import { type DemoActeur, demoActeurs } from '../../acteurs/demo-acteurs.ts'
import { demoCommunes, demoSeed } from '../../communes/demo/communes.ts'
import { demoElus } from '../../communes/demo/elus.ts'
import { demoCas } from './cas.ts'
import type { DemoScene } from './fill.ts'
import { type DemoTexte, parseTextes } from './form.ts'
import { demoLieux } from './lieux.ts'
import { acteurTextes } from './textes.ts'
import { mairieTextes } from './textes-mairies.ts'

/** A text with who publishes it, and where. */
export type DemoPlaced = {
  texte: DemoTexte
  scene: DemoScene
  acteurId: string | null
  communeIds: string[]
  shift: number
}

/** Every demo text of the communes and acteurs that this database has. */
export async function demoPlaced(db: Database): Promise<DemoPlaced[]> {
  const there = await readPlaces(db)
  return [
    ...there.communes.flatMap((commune) => mairieTexts(commune)),
    ...demoActeurs.flatMap((acteur, index) => acteurTexts(acteur, index, there)),
    ...parseTextes(demoCas).flatMap((texte) => placeCase(texte, there)),
  ]
}

type Acteur = { id: string; slug: string; telephone: string | null; email: string | null }
type Commune = { id: string; nom: string; code: string; mairie: Acteur | undefined }
type Places = { communes: Commune[]; byCode: Map<string, Commune>; bySlug: Map<string, Acteur> }

async function readPlaces(db: Database): Promise<Places> {
  const codes = demoCommunes.map(({ code }) => code)
  const rows = await db
    .selectFrom('communes')
    .select(['id', 'nom', 'code_insee', 'mairie_actor_id'])
    .where('code_insee', 'in', codes)
    .orderBy('code_insee')
    .execute()
  const ids = rows.map(({ id }) => id)
  const acteurs = await db
    .selectFrom('acteurs')
    .select(['id', 'slug', 'telephone', 'email'])
    .where('commune_id', 'in', [...ids, '00000000-0000-0000-0000-000000000000'])
    .execute()
  const byId = new Map(acteurs.map((acteur) => [acteur.id, acteur]))
  const communes = rows.map(({ code_insee, mairie_actor_id, ...row }) => {
    return { ...row, code: code_insee, mairie: byId.get(mairie_actor_id ?? '') }
  })
  return {
    communes,
    byCode: new Map(communes.map((commune) => [commune.code, commune])),
    bySlug: new Map(acteurs.map((acteur) => [acteur.slug, acteur])),
  }
}

/** Six of them, far enough apart to be of several kinds. */
function mairieTexts(commune: Commune): DemoPlaced[] {
  const { mairie } = commune
  if (mairie === undefined) return []
  const seed = demoSeed(commune.code)
  return pick(textesOfMairies, 6, seed, 5).map((texte) => placed(texte, commune, mairie))
}

/** Three of its genre. Who may not publish waits to be read, now and then; who is not validated has written nothing. */
function acteurTexts(acteur: DemoActeur, index: number, there: Places): DemoPlaced[] {
  const commune = there.byCode.get(acteur.code)
  const row = there.bySlug.get(acteur.slug)
  if (commune === undefined || row === undefined || acteur.etat.has('attente')) return []
  const free = acteur.etat.has('publie')
  return pick(textesByGenre[acteur.genre], 3, index, 1).map((texte, place) => {
    const marks = free
      ? []
      : [(index + place) % 3 === 0 ? 'pending' : 'read', ...(place === 1 ? ['central'] : [])]
    return placed({ ...texte, marks: new Set([...texte.marks, ...marks]) }, commune, row)
  })
}

function placeCase(texte: DemoTexte, there: Places): DemoPlaced[] {
  const { par } = texte
  const demo = demoActeurs.find(({ nom }) => nom === par)
  const [, mairieCode] = /^mairie (\w+)$/.exec(par ?? '') ?? []
  const code = demo?.code ?? mairieCode ?? texte.communes[0] ?? ''
  const commune = there.byCode.get(code)
  const acteur = demo === undefined ? there.byCode.get(mairieCode ?? '')?.mairie : there.bySlug.get(demo.slug)
  if (commune === undefined || (par !== null && acteur === undefined)) return []
  const others = texte.communes.flatMap((one) => there.byCode.get(one)?.id ?? [])
  const { communeIds, ...rest } = placed(texte, commune, acteur ?? null)
  return [{ ...rest, shift: 0, communeIds: [...new Set([...communeIds, ...others])] }]
}

function placed(texte: DemoTexte, commune: Commune, acteur: Acteur | null): DemoPlaced {
  const { code, nom } = commune
  const demo = demoCommunes.find((one) => one.code === code)
  const lieu = demoLieux.get(code)
  if (demo === undefined || lieu === undefined) throw new Error(`The demo knows nothing of ${code}.`)
  const [maire] = demoElus(demo)
  const scene = {
    commune: nom,
    lieu,
    maire: maire === undefined ? 'le conseil' : `${maire.prenom} ${maire.nom}`,
    telephone: acteur?.telephone?.trim() || 'sur place',
    email: acteur?.email?.trim() || 'l’accueil',
  }
  return { texte, scene, acteurId: acteur?.id ?? null, communeIds: [commune.id], shift: demoSeed(code) % 12 }
}

const textesOfMairies = parseTextes(mairieTextes)
const textesByGenre = Object.fromEntries(
  Object.entries(acteurTextes).map(([genre, text]) => [genre, parseTextes(text)]),
) as Record<DemoActeur['genre'], DemoTexte[]>

/** `count` different ones, from a place on, some steps apart. */
function pick(textes: DemoTexte[], count: number, from: number, step: number): DemoTexte[] {
  const places = Array.from({ length: count }, (_, index) => (from + index * step) % textes.length)
  return places.flatMap((place) => textes[place] ?? [])
}
