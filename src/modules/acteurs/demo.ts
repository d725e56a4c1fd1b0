import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { uuidv7At } from '../../platform/uuid.ts'
import { demoSeed } from '../communes/demo/communes.ts'
import { type DemoActeur, demoActeurs } from './demo-acteurs.ts'

/** Those of the demo communes that the register has. The mairies came with the communes. */
export async function insertDemoActeurs(db: Database): Promise<void> {
  const codes = [...new Set(demoActeurs.map(({ code }) => code))]
  const communes = await db
    .selectFrom('communes')
    .select(['id', 'nom', 'code_insee', 'codes_postaux'])
    .where('code_insee', 'in', codes)
    .execute()
  const byCode = new Map(communes.map((commune) => [commune.code_insee, commune]))
  const rows = demoActeurs.flatMap((acteur, index) => {
    const commune = byCode.get(acteur.code)
    return commune === undefined ? [] : [acteurRow(acteur, commune, index)]
  })
  if (rows.length > 0) await db.insertInto('acteurs').values(rows).execute()
}

type Commune = { id: string; nom: string; codes_postaux: string[] }
const dayMs = 24 * 3_600_000

function acteurRow(acteur: DemoActeur, commune: Commune, index: number): Insertable<tables.Acteurs> {
  const { code, type, slug, nom, rue, description, etat, badge } = acteur
  const made = new Date(Date.now() - (200 + 13 * index) * dayMs)
  return {
    id: uuidv7At(made.getTime()),
    slug,
    nom,
    type,
    commune_id: commune.id,
    description,
    // A large town has several postal codes: there the street brings its own.
    adresse: `${/\d{5}$/.test(rue) ? rue : `${rue}, ${commune.codes_postaux[0] ?? ''}`} ${commune.nom}`,
    telephone: index % 9 === 4 ? null : telephone(acteur, index),
    email: `contact@${slug}.example`,
    site_web: index % 4 === 1 ? null : `https://www.${slug}.example`,
    valide: !etat.has('attente'),
    active: !etat.has('inactif'),
    can_publish: etat.has('publie'),
    badge,
    deleted_at: etat.has('supprime') ? new Date(Date.now() - ((demoSeed(code) % 60) + 1) * dayMs) : null,
    created_at: made,
    updated_at: made,
  }
}

/** Of the ranges that ARCEP keeps for fiction: associations have a mobile, the others the one of their region. */
function telephone({ code, type }: DemoActeur, index: number): string {
  const zone = zones.find(([departements]) => departements.test(code))?.[1] ?? '04 65 71'
  const digits = String(1_000 + ((index * 137 + demoSeed(code)) % 9_000))
  return `${type === 'association' ? '06 39 98' : zone} ${digits.slice(0, 2)} ${digits.slice(2)}`
}

const zones: [RegExp, string][] = [
  [/^(75|9[1-5])/, '01 99 00'],
  [/^(29|35|76|85|974|976)/, '02 61 91'],
  [/^(02|25|51|60|67|68|80)/, '03 53 01'],
  [/^(12|24|33|46|972|973|975)/, '05 36 49'],
]
