import Type, { type Static } from 'typebox'
import { ListPageWith } from '../../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import { Id, nullable, oneOf, text, UserName } from '../../../platform/http/validation/schemas.ts'
import { withPresence } from '../../presence/schema.ts'
import { Draft } from '../drafts/schema.ts'
import { flags, statuses, Thread } from '../schema.ts'

export const ThreadsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['last_message_at', 'created_at'], 'last_message_at_desc'),
  ids: idsQuery,
  status: several(oneOf(statuses), 'In one of these states, separated by commas'),
  unread: several(Type.Boolean(), 'Waiting to be read, or not'),
  flag: several(oneOf([...flags, 'none']), 'With one of these flags, separated by commas; `none`: without'),
  assignee: several(
    Type.Union([Id(), Type.Literal('none')]),
    'Handled by one of these colleagues, separated by commas; `none`: by nobody',
  ),
  q: Type.Optional(
    text(200, {
      description:
        'Beginnings of words of the subject, of the name, of the address or of what was said; or the number',
      examples: ['vauquelin'],
    }),
  ),
})
export type ThreadsQuery = Static<typeof ThreadsQuery>

export const MessagesQuery = Type.Object(listQuery)

export const ThreadRead = withPresence(
  {
    ...Thread.properties,
    draft: nullable(Draft),
    drafting: Type.Array(UserName, {
      description: 'Colleagues who have a draft here, the latest first; at most 20',
    }),
  },
  'SupportThreadRead',
)

const unread = Type.Integer({ description: 'All unread threads, whatever the filters', examples: [7] })
export const ThreadsPage = ListPageWith('SupportThreadsMeta', { unread }, Thread)
