import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'
import { type Role, roles } from './roles.ts'

type UsersSearch = { q?: string; role?: Role; page?: number }

export const usersSearch = ({ q, role, page }: SearchParams): UsersSearch =>
  defined({ q: textOf(q), role: oneOf(roles, role), page: pageOf(page) })
