import { defined, oneOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

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

export const messagesSearch = (search: SearchParams): MessagesSearch =>
  defined({
    q: textOf(search.q),
    status: oneOf(statuses.slice(1), search.status),
    only: oneOf(marks, search.only),
    assignee: textOf(search.assignee),
    selected: textOf(search.selected),
    pane: oneOf(['details'] as const, search.pane),
  })
