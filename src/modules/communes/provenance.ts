import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { requireRow } from '../../platform/database/require-row.ts'
import { fold } from '../../platform/formats/text.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { list, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { ById } from './schema.ts'

const Provenance = titled('Provenance', {
  field: Type.String({
    description:
      'A contact or number of the mairie, `horaires` among the infos, or `elus`: the council as a whole',
    examples: ['telephone'],
  }),
  source: Type.String({
    description:
      'The public source that filled it: `mairies`, the Annuaire de l’administration; `elus`, the Répertoire national des élus',
    examples: ['mairies'],
  }),
  as_of: Type.String({ format: 'date', description: 'The day of its file', examples: ['2026-11-12'] }),
})
export type Provenance = Static<typeof Provenance>

/** Which facts of a commune public sources filled. What a person wrote is not listed. */
export function provenanceRoutes(scope: HttpServer, { reads }: Deps): void {
  scope.get(
    '/communes/:id/provenance',
    {
      config: { caching: { shows: ['communes', 'sourced_facts', 'acteurs', 'commune_infos', 'elus'] } },
      schema: {
        operationId: 'listProvenance',
        summary: 'Facts of a commune that public sources filled, and which; others were written by people',
        params: ById,
        response: { 200: list(Provenance) },
      },
    },
    async ({ params }) => {
      const [data] = await Promise.all([
        listProvenance(reads, params.id),
        requireRow(reads, 'communes', params.id),
      ])
      return { data }
    },
  )
}

/**
 * Lists the facts of a commune that sources filled, of the acteur that speaks for it now. A fact that a person changed since the last
 * file is left out: its value is no longer the one that its source wrote.
 */
export async function listProvenance(db: Database, communeId: string): Promise<Provenance[]> {
  const { rows } = await sql<
    Provenance & { digest: string; present: string | null; council: Member[] | null }
  >`
    select fact.field, fact.source, fact.as_of, fact.digest,
      case fact.field
        when 'horaires' then (
          select string_agg(valeur, e'\\n' order by position, id) from commune_infos
          where commune_id = fact.commune_id and cle = 'horaires')
        else to_jsonb(acteur) ->> fact.field end as present,
      case when fact.field = 'elus' then (
        select json_agg(e order by ordre, id) from (
          select id, ordre, nom, prenom, fonction, mandat_debut from elus where commune_id = fact.commune_id) e
      ) end as council
    from sourced_facts fact
    join communes on communes.id = fact.commune_id
    left join acteurs acteur on acteur.id = fact.acteur_id
    where fact.commune_id = ${communeId} and fact.source is not null
      and (fact.acteur_id is null or fact.acteur_id = communes.mairie_actor_id)
    order by fact.field collate "C"`.execute(db)
  return rows.flatMap(({ digest, present, council, ...provenance }) => {
    const text = provenance.field === 'elus' ? councilText(council ?? []) : present
    return text !== null && digestOf(text) === digest ? [provenance] : []
  })
}

/** Compares a value with the one that a source wrote. */
export function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

type Member = { nom: string; prenom: string; fonction: string; mandat_debut: string | null }

/** Returns what a source says of a council; null without members. Spellings and portraits, which it does not say, are left out. */
export function councilText(council: readonly Member[]): string | null {
  if (council.length === 0) return null
  return JSON.stringify(council.map((member) => [personKey(member), member.fonction, member.mandat_debut]))
}

export const personKey = ({ nom, prenom }: Pick<Member, 'nom' | 'prenom'>) => `${fold(nom)}, ${fold(prenom)}`
