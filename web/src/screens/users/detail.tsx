import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { meQuery, readAfresh } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Access } from './access.tsx'
import { addRole, removeRole, type User, userQuery } from './queries.ts'
import { type Role, roles } from './roles.ts'

const frame = getRouteApi('/signed-in')
const route = getRouteApi('/signed-in/users/$userId')

/** Account of a user: roles, signed-in devices, second factors and access. */
export function UserScreen() {
  const words = useTranslations('users')
  const { userId } = route.useParams()
  const { me } = frame.useRouteContext()
  const found = useQuery(userQuery(userId))
  const user = found.data
  return (
    <Page
      title={user ? (user.nom ?? user.email ?? words('unnamed')) : words('title')}
      back={<BackTo to="/users" title={words('title')} />}
    >
      <QueryState query={found} lines={8} />
      {user && (
        <>
          <Identity user={user} />
          <Acteurs user={user} />
          <Section title={words('roles')} note={words('rolesNote')}>
            <Lines label={words('roles')}>
              {roles.map((role) => (
                <RoleLine key={role} user={user} role={role} />
              ))}
            </Lines>
          </Section>
          <Access user={user} />
          {me.areas.includes('privacy') && (
            <Section title={words('data')} note={words('dataNote')}>
              <p>
                <Link to="/people" search={{ user: user.id }}>
                  {words('openData')}
                </Link>
              </p>
            </Section>
          )}
          <RecordHistory kind="user" id={user.id} />
        </>
      )}
    </Page>
  )
}

function Identity({ user }: { user: User }) {
  const words = useTranslations('users')
  return (
    <Section title={words('identity')}>
      <Facts
        facts={[
          [
            words('email'),
            <Row key="email" as="span">
              {user.email ?? words('none')}
              {user.email_verified && <Badge tone="good">{words('verified')}</Badge>}
              {!user.actif && <Badge tone="bad">{words('disabled')}</Badge>}
            </Row>,
          ],
          [words('created'), <Time key="created" at={user.created_at} />],
          [
            words('lastSeen'),
            user.last_seen_at === null ? words('notYet') : <Time key="seen" at={user.last_seen_at} />,
          ],
        ]}
      />
    </Section>
  )
}

/** Acteurs for which the user acts. Their records are where memberships change. */
function Acteurs({ user }: { user: User }) {
  const words = useTranslations()
  const { me } = frame.useRouteContext()
  const names = new Map(user.acteur_names.map(({ id, nom }) => [id, nom]))
  return (
    <Section title={words('users.acteurs')} note={words('users.acteursNote')}>
      {user.acteurs.length === 0 && <Soft>{words('users.noActeur')}</Soft>}
      {user.acteurs.length > 0 && (
        <Lines label={words('users.acteurs')}>
          {user.acteurs.map(({ acteur_id: id, role }) => (
            <OneLine
              key={id}
              icon="shop"
              title={
                me.areas.includes('acteurs') ? (
                  <TitleLink to="/acteurs/$id" params={{ id }}>
                    {names.get(id)}
                  </TitleLink>
                ) : (
                  names.get(id)
                )
              }
              badge={<Badge>{words(`acteurs.members.role.${role}`)}</Badge>}
            />
          ))}
        </Lines>
      )}
    </Section>
  )
}

function RoleLine({ user, role }: { user: User; role: Role }) {
  const words = useTranslations()
  const client = useQueryClient()
  const router = useRouter()
  const { me } = frame.useRouteContext()
  const name = words(`roles.${role}`)
  const isGranted = user.roles.includes(role)
  const isSelf = user.id === me.id
  const [isAsking, setAsking] = useState(false)
  const undo = (isGiven: boolean) => {
    // The undo may be faster than the reload.
    changing.reset()
    changing.submit(isGiven)
  }
  const changing = useSubmit({
    mutationFn: (isGiven: boolean) => (isGiven ? addRole(user.id, role) : removeRole(user.id, role)),
    onSuccess: async (_, isGiven) => {
      setAsking(false)
      showToast({
        title: words(isGiven ? 'users.roleGranted' : 'users.roleRemoved'),
        // A user who gave up a role may not be allowed to take it back.
        ...((isGiven || !isSelf) && {
          action: { label: words('users.undo'), run: () => undo(!isGiven) },
        }),
      })
      // First the user's own roles: a request that they no longer allow would reload the page.
      if (isSelf) await readAfresh(client, meQuery)
      await client.invalidateQueries({ queryKey: ['users'] })
      if (isSelf) await router.invalidate()
    },
  })
  return (
    <OneLine
      icon="shield"
      title={name}
      badge={isGranted && <Badge tone="good">{words('users.granted')}</Badge>}
      note={words(`rolesAbout.${role}`)}
      actions={
        (isGranted || user.can.includes('roles')) && (
          <Button
            small
            aria-label={words(isGranted ? 'users.removeNamed' : 'users.grantNamed', { role: name })}
            isPending={changing.isPending && !isAsking}
            onPress={() => (isGranted && isSelf ? setAsking(true) : changing.submit(!isGranted))}
          >
            {words(isGranted ? 'users.remove' : 'users.grant')}
          </Button>
        )
      }
    >
      <Confirm
        title={words('users.ownRole', { role: name })}
        action={words('users.remove')}
        isOpen={isAsking}
        isPending={changing.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => changing.submit(false)}
      >
        <p>{words('users.ownRoleText')}</p>
        {changing.isError && <ShownFailure error={changing.error} />}
      </Confirm>
      {changing.isError && !isAsking && <ShownFailure error={changing.error} />}
    </OneLine>
  )
}
