import type { Database } from '../platform/database/connect.ts'

export type CodeOwner = { id: string; nom: string; alias: string | null }
export type CommuneCodes = Map<string, CodeOwner>

/** Maps INSEE codes to communes: each commune's own code and those of the communes it absorbed. */
export async function mapCommuneCodes(db: Database): Promise<CommuneCodes> {
  const communes = await db.selectFrom('communes').select(['code_insee', 'id', 'nom']).execute()
  const aliases = await db
    .selectFrom('commune_aliases')
    .innerJoin('communes', 'communes.id', 'commune_aliases.commune_id')
    .select(['commune_aliases.code_insee', 'communes.id', 'communes.nom', 'commune_aliases.type'])
    .execute()
  const codes: CommuneCodes = new Map()
  for (const { code_insee, id, nom, type } of aliases) codes.set(code_insee, { id, nom, alias: type })
  // A commune's own code takes precedence over an alias.
  for (const { code_insee, id, nom } of communes) codes.set(code_insee, { id, nom, alias: null })
  return codes
}

/** Quotes a code in a reason only if it is well-formed: a shifted row may contain anything there. */
export function quoteCode(code: string): string {
  return /^[0-9A-Z]{1,5}$/.test(code) ? `the code ${code}` : 'its code'
}
