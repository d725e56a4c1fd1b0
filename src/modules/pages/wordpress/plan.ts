import { slugify } from '../../../platform/formats/text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { NamedPage } from '../queries.ts'
import type { Converted } from './content.ts'
import type { ExportedPage } from './read-export.ts'
import type { Note, Reason } from './schema.ts'

/** A page of an export with its sanitised text, or why it cannot come. */
export type CleanPage = Pick<
  ExportedPage,
  'id' | 'parentId' | 'order' | 'status' | 'isProtected' | 'name'
> & {
  title: string
  body: string
  removed: Omit<Converted, 'html'>
  fault: Reason | null
}

export type PlannedPage = {
  page: CleanPage
  /** Null: it is skipped. */
  id: string | null
  slug: string | null
  parent: { id: string; slug: string } | null
  result: 'created' | 'exists' | 'skipped'
  reason: Reason | null
  notes: Note[]
}

/**
 * Decides what becomes of each page, in order: those at the top, each before those below it. A page exists if one with its slug
 * has its title, or once had it. Pages of a third level stand below the one at the top.
 */
export function planPages(pages: CleanPage[], existing: NamedPage[]): PlannedPage[] {
  const tree = treeOf(pages)
  const slugs = slugsFor(existing)
  const planned = new Map<CleanPage, PlannedPage>()
  for (const page of tree.inOrder) {
    const { top, notes } = tree.placeOf(page)
    const reason = tree.reasonOf(page)
    const above = top === null ? null : (planned.get(top) ?? null)
    const parent = above === null ? null : placeBelow(above, existing)
    const lost = top !== null && parent === null ? (['parent_left_out'] as const) : []
    const privately = page.isProtected || page.status === 'private' ? (['was_private'] as const) : []
    const named = reason === null ? slugs.take(page) : { result: 'skipped' as const, id: null, slug: null }
    const changed = 'isChanged' in named && named.isChanged ? (['slug_changed'] as const) : []
    const { result, id, slug } = named
    planned.set(page, {
      ...{ page, id, slug, result, parent: result === 'skipped' ? null : parent },
      reason: reason ?? (result === 'skipped' ? 'slug_taken' : null),
      notes: result === 'created' ? [...new Set([...notes, ...lost, ...changed, ...privately])] : [],
    })
  }
  return [...planned.values()]
}

/** Returns the page to stand below: if the one that exists is itself below another, that one. */
function placeBelow({ id, slug, result }: PlannedPage, existing: NamedPage[]) {
  if (id === null || slug === null) return null
  if (result === 'created') return { id, slug }
  const parentId = existing.find((one) => one.id === id)?.parent_id ?? id
  return existing.find((one) => one.id === parentId) ?? null
}

/** Finds what stands above each page. A circle has no top: its pages stand there. */
function treeOf(pages: CleanPage[]) {
  const byId = new Map(pages.toReversed().map((page) => [page.id, page]))
  const aboveOf = (page: CleanPage) => (page.parentId === null ? undefined : byId.get(page.parentId))
  const chainOf = (page: CleanPage): CleanPage[] => {
    const met = new Set([page])
    for (let next = aboveOf(page); next !== undefined; next = aboveOf(next)) {
      if (met.has(next)) return []
      met.add(next)
    }
    return [...met].slice(1)
  }
  const leading = new Set(pages.filter(({ fault, body }) => fault === null && body !== '').flatMap(chainOf))
  const reasonOf = (page: CleanPage): Reason | null =>
    page.fault ?? (page.body === '' && !leading.has(page) ? 'empty' : null)
  const placeOf = (page: CleanPage): { top: CleanPage | null; notes: Note[] } => {
    const chain = chainOf(page)
    const coming = chain.filter((one) => reasonOf(one) === null)
    const isLost = page.parentId !== null && (chain.length === 0 || coming[0] !== chain[0])
    return {
      top: coming.at(-1) ?? null,
      notes: [
        ...(coming.length > 1 ? (['flattened'] as const) : []),
        ...(isLost ? (['parent_left_out'] as const) : []),
      ],
    }
  }
  const sorted = pages.toSorted((one, other) => one.order - other.order)
  const below = Map.groupBy(sorted, (page) => placeOf(page).top)
  const inOrder = (below.get(null) ?? []).flatMap((page) => [page, ...(below.get(page) ?? [])])
  return { inOrder, placeOf, reasonOf }
}

/** Gives slugs to pages. Each page that exists is met by one of the export at most. */
function slugsFor(existing: NamedPage[]) {
  const bySlug = new Map(existing.map((page) => [page.slug, page]))
  const given = new Set<string>()
  const met = new Set<string>()
  return {
    take({ id, name, title }: CleanPage) {
      const base = cut(slugify(decoded(name)) || slugify(title) || 'page', 100)
      const other = `${cut(base, 85)}-${id}`
      for (const slug of [other, base]) {
        const there = bySlug.get(slug)
        if (there === undefined || met.has(there.id) || !there.titles.includes(title)) continue
        met.add(there.id)
        return { result: 'exists' as const, id: there.id, slug }
      }
      const slug = [base, other].find((one) => !bySlug.has(one) && !given.has(one))
      if (slug === undefined) return { result: 'skipped' as const, id: null, slug: null }
      given.add(slug)
      return { result: 'created' as const, id: uuidv7(), slug, isChanged: slug !== base }
    },
  }
}

const cut = (slug: string, length: number) => slug.slice(0, length).replace(/-$/, '')

/** Decodes the name of a page: WordPress stores letters with accents as `%c3%a9`. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
