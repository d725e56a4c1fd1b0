import { useState } from 'react'

type Row = { id: string }

/** As many rows are read to be selected at most: a decision on them takes one request a hundred. */
export const maxChosen = 1_000
const perPage = 100

type Page<Item> = { data: readonly Item[]; meta: { next?: string | null } }

/** Reads the first rows that match the filters of a list, by cursor. */
export async function readMatching<Item>(
  read: (page: { per_page: number; after?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const rows: Item[] = []
  let after: string | null | undefined
  do {
    const { data, meta } = await read({ per_page: perPage, ...(after && { after }) })
    rows.push(...data)
    after = meta.next
  } while (after && rows.length < maxChosen)
  return rows.slice(0, maxChosen)
}

/** The selected rows of a list: those that it shows, and those of other pages that were read to be selected. */
export function useChosen<Item extends Row>(items: readonly Item[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [read, setRead] = useState<readonly Item[]>([])
  const shown = new Set(items.map(({ id }) => id))
  const isChosen = ({ id }: Row) => chosen.has(id)
  return {
    chosen,
    setChosen,
    /** In the version that the list shows, else in that which was read. */
    rows: [...items.filter(isChosen), ...read.filter((row) => isChosen(row) && !shown.has(row.id))],
    clear: () => setChosen(new Set()),
    /** Selects these, whether the list shows them or not. */
    choose(rows: readonly Item[]) {
      setRead(rows)
      setChosen(new Set(rows.map(({ id }) => id)))
    },
    /** Selects these no longer. */
    drop(ids: readonly string[]) {
      const gone = new Set(ids)
      setChosen((before) => new Set([...before].filter((id) => !gone.has(id))))
    },
    /** Selects again what a decision did not reach. */
    chooseAgain(rows: readonly Item[]) {
      const ids = new Set(rows.map(({ id }) => id))
      setRead((before) => [...before.filter(({ id }) => !ids.has(id)), ...rows])
      setChosen((before) => new Set([...before, ...ids]))
    },
  }
}
