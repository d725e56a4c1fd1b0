export const statuses = ['open', 'closed', 'all'] as const
export const flags = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const
/** Further filter of the list: unread threads, or those with a flag. */
export const marks = ['unread', ...flags] as const

/** Filters of the list, the selected thread, and whether its details cover it on a small screen. */
export type MessagesSearch = {
  q?: string
  status?: (typeof statuses)[number]
  only?: (typeof marks)[number]
  /** A colleague's id, `me` or `none`. */
  assignee?: string
  selected?: string
  pane?: 'details'
}

const oneOf = <Value>(values: readonly Value[], value: unknown) => values.find((known) => known === value)

export function messagesSearch(given: Record<string, unknown>): MessagesSearch {
  const { q, status, only, assignee, selected, pane } = given
  return {
    // The router parses an all-digit `q` as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(oneOf(statuses.slice(1), status) && { status: oneOf(statuses, status) }),
    ...(oneOf(marks, only) && { only: oneOf(marks, only) }),
    ...(typeof assignee === 'string' && assignee !== '' && { assignee }),
    ...(typeof selected === 'string' && selected !== '' && { selected }),
    ...(pane === 'details' && { pane }),
  }
}
