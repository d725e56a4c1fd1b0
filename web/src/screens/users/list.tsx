import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { useAdds } from '../../shell/navigation/adds.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { InvitationDialog } from './invitation.tsx'
import { filtersOf, perPage, type User, usersQuery } from './queries.ts'
import { type Role, roles } from './roles.ts'

const route = getRouteApi('/signed-in/users')

/** Lists the accounts with their roles. */
export function UsersScreen() {
  const words = useTranslations('users')
  const roleNames = useTranslations('roles')
  const { q, role, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [isInviting, setInviting] = useState(false)
  useAdds(() => setInviting(true))
  const users = useQuery(usersQuery({ q, role, page }))
  const change = (filter: { q?: string; role?: Role }) =>
    void navigate({ search: ({ page: _first, ...before }) => ({ ...before, ...filter }), replace: true })
  return (
    <Page
      title={words('title')}
      actions={
        <>
          <ExportButton list="users" query={filtersOf({ q, role })} meta={users.data?.meta} />
          <Button look="primary" icon="mail" onPress={() => setInviting(true)}>
            {words('invite.open')}
          </Button>
        </>
      }
    >
      <FilterRow>
        <TextField
          label={words('search')}
          type="search"
          maxLength={200}
          isRequired
          autoComplete="off"
          value={q ?? ''}
          onChange={(typed) => change({ q: typed })}
        />
        <FilterSelect
          label={words('role')}
          any={words('anyRole')}
          value={role}
          onChange={(chosen) => change({ role: chosen })}
          options={roles.map((name) => ({ value: name, label: roleNames(name) }))}
        />
      </FilterRow>
      <QueryState query={users} lines={8} />
      {users.data && <Found users={users.data.data} />}
      <ListPager list={users} perPage={perPage} hidesSinglePage />
      {isInviting && <InvitationDialog onClose={() => setInviting(false)} />}
    </Page>
  )
}

function Found({ users }: { users: readonly User[] }) {
  const words = useTranslations('users')
  if (users.length === 0)
    return (
      <Empty icon="users" title={words('nobody.title')}>
        {words('nobody.text')}
      </Empty>
    )
  return (
    <Lines label={words('list')}>
      {users.map((user) => (
        <UserLine key={user.id} user={user} />
      ))}
    </Lines>
  )
}

function UserLine({ user }: { user: User }) {
  const words = useTranslations()
  const { id, nom, email, actif, last_seen_at: seenAt } = user
  return (
    <OneLine
      icon="user"
      title={
        <TitleLink to="/users/$userId" params={{ userId: id }}>
          {nom ?? email ?? words('users.unnamed')}
        </TitleLink>
      }
      badge={!actif && <Badge tone="bad">{words('users.disabled')}</Badge>}
      note={
        <>
          {nom !== null && email !== null && <>{email} · </>}
          {seenAt === null ? (
            words('users.neverSeen')
          ) : (
            <>
              {words('users.seen')} <Ago at={seenAt} />
            </>
          )}
        </>
      }
      actions={user.roles.map((role) => (
        <Badge key={role} tone="accent">
          {words(`roles.${role}`)}
        </Badge>
      ))}
    />
  )
}
