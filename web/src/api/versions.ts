/** A record in the version that the user saw. */
type Seen = { id: string; version: number }

/** Header of a change that the service refuses with 412 if the record has a newer version. */
export const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` })

/** Parameters of a change of one record in the version that the user saw. */
export const atVersion = ({ id, version }: Seen) => ({ path: { id }, header: ifMatch(version) })

/** Ids and versions of a bulk change: the service skips records that have a newer version. */
export const seenRows = (rows: readonly Seen[]) => ({
  ids: rows.map(({ id }) => id),
  versions: Object.fromEntries(rows.map(({ id, version }) => [id, version])),
})
