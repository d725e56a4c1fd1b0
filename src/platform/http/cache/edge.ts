/** On every response that an edge cache stores: a purge of it empties the cache. */
export const everything = 'parvis'

/** Longest list of tags in a header. Fastly and Cloudflare take 16 kB; a proxy of an operator may take 4 kB. */
const maxLength = 1_000

/** How long an edge cache serves a response. A change purges it earlier. */
const lifetime = 'max-age=60, stale-while-revalidate=30, stale-if-error=86400'

/**
 * Returns the headers by which an edge cache stores a public response, in the form of `writeHead`. Whatever a change of
 * an application source alters is purged too, so every response has that tag.
 */
export function edgeHeaders(tags: readonly string[]): readonly string[] {
  const own = tagsAtEdge([everything, 'app_sources', ...tags])
  return [
    ...['cdn-cache-control', lifetime],
    ...['surrogate-key', own.join(' ')],
    ...['cache-tag', own.join(',')],
  ]
}

/** Replaces tags of rows by their table when the list gets long: a change of a row is notified of its table as well. */
function tagsAtEdge(tags: readonly string[]): string[] {
  const all = [...new Set(tags.map(edgeTag))]
  return all.join(' ').length <= maxLength ? all : [...new Set(all.map(tableOf))]
}

/** Returns a tag as an edge cache gets it, with characters that no header and no pattern of a purge treats specially. */
export const edgeTag = (tag: string): string => tag.replace('*', ':many')

/** Returns the table that a tag of a cached response or of a change belongs to. */
export const tableOf = (tag: string): string => tag.replace(/[:*].*$/, '')
