import { opens } from '../../platform/access/areas.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Module } from '../../platform/module.ts'
import { getMe } from './queries.ts'
import type { Me } from './schema.ts'

/** Describes the signed-in user, with the areas that their roles open. */
export async function readMe(db: Database, modules: readonly Module[], userId: string): Promise<Me> {
  const all = modules.flatMap(({ routes }) => routes?.admin?.area ?? [])
  const areas = [...new Set(all)].sort()
  const me = await getMe(db, userId)
  return { ...me, areas: areas.filter((area) => opens(me.roles, area)) }
}
