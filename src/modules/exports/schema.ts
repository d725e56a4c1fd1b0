import Type, { type Static } from 'typebox'
import { strictObject, text, titled } from '../../platform/http/validation/schemas.ts'

export const ExportCreate = strictObject({
  list: Type.String({
    pattern: '^[A-Za-z0-9-]+(/[A-Za-z0-9-]+)*$',
    maxLength: 200,
    description: 'The list, as in its address below `/admin/`',
    examples: ['publications'],
  }),
  query: Type.Optional(
    text(2_000, {
      description: 'Its filters and sort, as in its address; `page`, `per_page` and `after` are ignored',
      examples: ['moderation_status=pending'],
    }),
  ),
})
export type ExportCreate = Static<typeof ExportCreate>

export const Export = titled('Export', {
  url: Type.String({
    description:
      'Where a browser downloads the file: once, within a minute, in a session of the user who asked for it',
    examples: ['https://parvis.example.org/api/v1/admin/exports/7hEXAMPLEjZ0kqBgnXl4sJ3zO1a2b3c4d5e6f7g8h9i'],
  }),
})

export const ByToken = Type.Object({
  token: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'Last part of the address',
    examples: ['7hEXAMPLEjZ0kqBgnXl4sJ3zO1a2b3c4d5e6f7g8h9i'],
  }),
})

export const File = Type.String({
  description: 'All rows that match the filters, in the order of `sort`',
  examples: ['id,nom\r\n0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e,Zoé Martin\r\n'],
})
