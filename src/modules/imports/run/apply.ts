import type { Database } from '../../../platform/database/connect.ts'
import { writeImported } from '../../publications/importing/rules.ts'
import type { SourceRow } from '../queries.ts'
import type { Decision } from './decide.ts'
import { putLinks, renameLinks } from './queries.ts'

/** Writes the decisions in a few statements. */
export async function apply(
  tx: Database,
  source: Pick<SourceRow, 'id'>,
  decisions: Decision[],
  options: { isAudited: boolean },
): Promise<void> {
  const changes = {
    created: decisions.flatMap(({ creation }) => creation ?? []),
    updated: decisions.flatMap(({ update }) => update ?? []),
  }
  await writeImported(tx, source.id, changes, options)
  await renameLinks(
    tx,
    source.id,
    decisions.flatMap(({ item, formerly }) =>
      formerly === undefined || item.external_id === null ? [] : { from: formerly, to: item.external_id },
    ),
  )
  await putLinks(
    tx,
    source.id,
    decisions.flatMap(({ link }) => link ?? []),
  )
}
