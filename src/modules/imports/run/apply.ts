import { operator } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { insertPublications, updateImported } from '../../publications/importing/queries.ts'
import { publication } from '../../publications/record.ts'
import type { SourceRow } from '../queries.ts'
import type { Decision } from './decide.ts'
import { putLinks } from './queries.ts'

/** Writes what was decided, all in a few statements, with its trail: the source stands there for who did it. */
export async function apply(
  tx: Database,
  source: Pick<SourceRow, 'id'>,
  decisions: Decision[],
  { isAudited }: { isAudited: boolean },
): Promise<void> {
  const updates = decisions.flatMap(({ update }) => update ?? [])
  await updateImported(
    tx,
    updates.map(({ after }) => after),
  )
  const created = await insertPublications(
    tx,
    decisions.flatMap(({ creation }) => creation ?? []),
  )
  await putLinks(
    tx,
    source.id,
    decisions.flatMap(({ link }) => link ?? []),
  )
  if (!isAudited) return
  const by = { import_source_id: source.id }
  await recordAudits(tx, operator, [
    ...created.map((row) => changeOf(row.id, null, { ...publication.trailOf(row), ...by })),
    ...updates.map(({ before, after }) =>
      changeOf(before.id, publication.trailOf(before), { ...publication.trailOf(after), ...by }),
    ),
  ])
}

type Told = Record<string, unknown>
const changeOf = (entityId: string, before: Told | null, after: Told) => ({
  action: 'publication.import',
  kind: publication,
  entityId,
  before,
  after,
})
